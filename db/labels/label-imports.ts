import type { LabelSource } from '../../domain/labels/schema.ts';
import type { NewLabel } from '../../domain/labels/label.ts';
import { copyRows } from '../copy-rows.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import type pg from 'pg';
import { labelColumns } from './label-columns.ts';

/** An import that is older than this and not active was aborted. */
const ABANDONED = `interval '6 hours'`;
/** Removing a million rows takes seconds; a slow disk may exceed the usual statement timeout. */
const REPLACE_LIMIT = `set local statement_timeout = '5min'`;

/** Starts an import. Its labels are not returned until activateImport names its source. */
export async function beginImport(
  db: Queryable,
  { isBundled, now }: { isBundled: boolean; now: Date },
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into label_imports (source, is_bundled, started_at) values ('', $1, $2) returning id`,
    [isBundled, now],
  );
  if (!rows[0]) throw new Error('the import was not stored');
  return rows[0].id;
}

/** Copies a batch of labels. A transaction of its own unless the client is inside one. */
export async function copyLabels(
  client: pg.ClientBase,
  importId: number,
  labels: readonly NewLabel[],
): Promise<void> {
  await copyRows(client, 'labels', labelColumns(importId), labels);
}

interface ImportActivation {
  importId: number;
  source: string;
  version: string | null;
  labels: number;
  sha256: Buffer | null;
  now: Date;
}

/** Activates an import: its labels replace those of the same source, all at once. */
export async function activateImport(tx: Queryable, activation: ImportActivation): Promise<LabelSource> {
  const { importId, source, version, labels, sha256, now } = activation;
  await tx.query(REPLACE_LIMIT);
  // Serialises imports of one source: the later one stays.
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`labels:${source}`]);
  await removeImports(tx, 'source = $1 and is_active', [source]);
  const { rows } = await tx.query<SourceRow>(
    `update label_imports set source = $5, version = $6, is_active = true, labels = $2, sha256 = $3,
       activated_at = $4 where id = $1
     returning ${SOURCE_COLUMNS}`,
    [importId, labels, sha256, now, source, version],
  );
  if (!rows[0]) throw new Error('the import is gone');
  return toSource(rows[0]);
}

/** Deletes an import that failed. */
export async function dropImport(pool: pg.Pool, importId: number): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.query(REPLACE_LIMIT);
    await removeImports(tx, 'id = $1 and not is_active', [importId]);
  });
}

/** Deletes the labels of aborted imports. */
export async function dropAbandonedImports(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.query(REPLACE_LIMIT);
    await removeImports(tx, `not is_active and started_at < now() - ${ABANDONED}`, []);
  });
}

/** Deletes the labels of a source; false when it has none. */
export async function deleteSource(tx: Queryable, source: string): Promise<boolean> {
  await tx.query(REPLACE_LIMIT);
  return (await removeImports(tx, 'source = $1 and is_active', [source])) > 0;
}

async function removeImports(tx: Queryable, condition: string, values: unknown[]): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `select id from label_imports where ${condition} for update`,
    values,
  );
  if (rows.length === 0) return 0;
  const ids = [rows.map(({ id }) => id)];
  await tx.query('delete from labels where import_id = any($1)', ids);
  await tx.query('delete from label_imports where id = any($1)', ids);
  return rows.length;
}

interface SourceRow {
  source: string;
  is_bundled: boolean;
  version: string | null;
  labels: number;
  activated_at: Date;
}

const SOURCE_COLUMNS = 'source, is_bundled, version, labels, activated_at';

/** The active label sources with their number of labels. */
export async function listSources(db: Queryable): Promise<LabelSource[]> {
  const { rows } = await db.query<SourceRow>(
    `select ${SOURCE_COLUMNS} from label_imports where is_active order by source`,
  );
  return rows.map(toSource);
}

function toSource(row: SourceRow): LabelSource {
  return {
    source: row.source,
    isBundled: row.is_bundled,
    version: row.version,
    labels: row.labels,
    importedAt: row.activated_at.toISOString(),
  };
}
