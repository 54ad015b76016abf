import type pg from 'pg';
import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import { stagedEntry, type StagedEntry } from './staged-entry.ts';
import type { Column } from '../columns.ts';
import { copyRows } from '../copy-rows.ts';
import { withConnection, type Queryable } from '../postgres.ts';

/** Few statements, none of them long: nothing stays open while the file is read. */
const ROWS_PER_COPY = 500;

/** One run of reading the files of an upload. Rows of a second run, by another worker, stay separate. */
export interface StagingRun {
  runId: string;
  uploadId: string;
}

/**
 * Copies the entries of a file into staging while they are read. Returns the number of unusable entries: those that
 * the database cannot store, and repeated ids.
 */
export async function stageEntries(
  pool: pg.Pool,
  run: StagingRun,
  entries: AsyncIterable<ListEntry>,
): Promise<number> {
  let unusable = 0;
  let rows: StagedEntry[] = [];
  for await (const entry of entries) {
    const staged = stagedEntry(entry);
    if (staged) rows.push(staged);
    else unusable += 1;
    if (rows.length < ROWS_PER_COPY) continue;
    await copy(pool, run, rows);
    rows = [];
  }
  await copy(pool, run, rows);
  // Without statistics of the new rows the planner would look each of them up separately.
  await pool.query('analyze sanctions_staging');
  return unusable + (await removeRepeats(pool, run));
}

async function copy(pool: pg.Pool, run: StagingRun, rows: readonly StagedEntry[]): Promise<void> {
  if (rows.length === 0) return;
  await withConnection(pool, async (client) => {
    await copyRows(client, 'sanctions_staging', stagingColumns(run), rows);
  });
}

function stagingColumns({ runId, uploadId }: StagingRun): Column<StagedEntry>[] {
  return [
    { name: 'run_id', type: 'uuid', value: () => runId },
    { name: 'upload_id', type: 'uuid', value: () => uploadId },
    { name: 'source_id', type: 'text', value: ({ sourceId }) => sourceId },
    { name: 'row_hash', type: 'bytea', value: ({ rowHash }) => rowHash },
    { name: 'entry', type: 'text', cast: 'jsonb', value: ({ entry }) => entry },
    { name: 'keys', type: 'text', cast: 'jsonb', value: ({ keys }) => keys },
  ];
}

/** Removes repeated ids. Readers count them already; should one not, the import must not fail for ever. */
async function removeRepeats(db: Queryable, { runId }: StagingRun): Promise<number> {
  const { rowCount } = await db.query(
    `delete from sanctions_staging s using sanctions_staging first
     where s.run_id = $1 and first.run_id = $1 and first.source_id = s.source_id and s.ctid > first.ctid`,
    [runId],
  );
  return rowCount ?? 0;
}

/** Stages the contents of an old version as if its file had arrived again. */
export async function stageVersion(
  tx: Queryable,
  { runId, uploadId }: StagingRun,
  { code, version }: { code: string; version: number },
): Promise<void> {
  await tx.query(
    `insert into sanctions_staging (run_id, upload_id, source_id, row_hash, entry, keys)
     select $4, $3, e.source_id, e.row_hash, e.entry, jsonb_build_object(
       'names', coalesce((select jsonb_agg(key) from sanctions_names where entry_id = e.id), '[]'),
       'wallets', coalesce((select jsonb_agg(jsonb_build_array(asset, address, address_key))
                            from sanctions_wallets where entry_id = e.id), '[]'),
       'identifiers', coalesce((select jsonb_agg(key) from sanctions_identifiers where entry_id = e.id), '[]'))
     from sanctions_entries e
     where e.code = $1 and e.version_added <= $2 and (e.version_removed is null or e.version_removed > $2)`,
    [code, version, uploadId, runId],
  );
}
