import { notFound } from '../../domain/errors.ts';
import type { ExportRecord } from '../../domain/exports/export.ts';
import type { ExportList } from '../../domain/exports/schema.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import type { Queryable } from '../postgres.ts';
import { sql, statementOf } from '../query-builder.ts';
import { EXPORT_COLUMNS, toExport, type ExportRow } from './export-row.ts';

/** An export of the tenant. Throws not_found, also once its file is removed. */
export async function getExport(
  db: Database,
  tenantId: string,
  id: string,
  from: Queryable = db.pool,
): Promise<ExportRecord> {
  const { rows } = await from.query<ExportRow>(
    `select ${EXPORT_COLUMNS} from exports where tenant_id = $1 and id = $2 and state <> 'REMOVING'`,
    [tenantId, id],
  );
  if (!rows[0]) throw notFound('export');
  return toExport(rows[0], await db.vault.tenantKeys(tenantId, [rows[0].purpose]));
}

/** One page of the tenant's exports; `q` finds ids by their beginning. */
export async function listExports(
  db: Database,
  tenantId: string,
  list: ExportList,
): Promise<ListPage<ExportRecord>> {
  const matching = sql('exports')
    .select('id', 'created_at')
    .where('tenant_id', tenantId)
    .whereNot('state', 'REMOVING');
  if (list.q !== undefined) matching.whereRaw('starts_with(id::text, lower(?))', [list.q.trim()]);
  if (list.filters.status) matching.where('state', list.filters.status);
  const page = {
    matching: statementOf(matching),
    orderBy: `created_at ${list.order}, id ${list.order}`,
    rows: `select ${EXPORT_COLUMNS} from page join exports using (id, created_at)`,
    range: list,
  };
  return await readPage(db.pool, page, async (rows: ExportRow[]) => {
    const keys = await db.vault.tenantKeys(
      tenantId,
      rows.map(({ purpose }) => purpose),
    );
    return rows.map((row) => toExport(row, keys));
  });
}

/** The part of a finished export that a download needs. */
export interface ExportFile {
  id: string;
  tenantId: string;
  format: ExportRecord['format'];
  objectKey: string;
  recordKey: Buffer;
  sizeBytes: number;
}

/** The file of an export by its id alone, as links name it. Throws not_found. */
export async function findExportFile(db: Queryable, id: string): Promise<ExportFile> {
  const { rows } = await db.query<ExportFile>(
    `select id, tenant_id as "tenantId", format, object_key as "objectKey", record_key as "recordKey",
       size_bytes::float8 as "sizeBytes"
     from exports where id = $1 and state = 'READY'`,
    [id],
  );
  if (!rows[0]) throw notFound('export');
  return rows[0];
}
