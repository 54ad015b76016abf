import { randomUUID } from 'node:crypto';
import { addMs, DAY_MS } from '../../domain/durations.ts';
import { KEPT_DAYS, type ExportFilter, type ExportFormat } from '../../domain/exports/export.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { TURN_MS } from './insert-export.ts';

/** An export that is to be made, and the object that an earlier attempt may have left in the storage. */
export interface UnmadeExport {
  id: string;
  tenantId: string;
  format: ExportFormat;
  filter: ExportFilter;
  tenant: { name: string; entityId: string };
  leftObjectKey: string | null;
}

/** An attempt at an export: it writes an object of its own, sealed by a key of its own. */
export interface ExportAttempt extends UnmadeExport {
  objectKey: string;
  key: RecordKey;
}

/** Reads an export that is to be made; undefined when it is made, or was given up. */
export async function findUnmadeExport(db: Queryable, id: string): Promise<UnmadeExport | undefined> {
  const { rows } = await db.query<Omit<UnmadeExport, 'tenant'> & { name: string; entityId: string }>(
    `select e.id, e.tenant_id as "tenantId", e.format, e.filter, e.object_key as "leftObjectKey", t.name,
       t.entity_id as "entityId"
     from exports e join tenants t on t.id = e.tenant_id where e.id = $1 and e.state = 'MAKING'`,
    [id],
  );
  if (!rows[0]) return undefined;
  const { name, entityId, ...unmade } = rows[0];
  return { ...unmade, tenant: { name, entityId } };
}

/** Begins an attempt. From now on an earlier one cannot be stored. Undefined when another has begun meanwhile. */
export async function beginExport(
  { pool, vault }: Database,
  unmade: UnmadeExport,
): Promise<ExportAttempt | undefined> {
  const { tenantId, id } = unmade;
  const keys = await vault.tenantKeys(tenantId);
  const { key, wrapped } = keys.newRecordKey(sealingContext.export.key({ tenantId, id }));
  const objectKey = `${tenantId}/${id}/${randomUUID()}`;
  const { rowCount } = await pool.query(
    `update exports set object_key = $3, record_key = $4, rows = 0,
       wake_at = now() + make_interval(secs => $5::numeric / 1000)
     where id = $1 and state = 'MAKING' and object_key is not distinct from $2`,
    [id, unmade.leftObjectKey, objectKey, wrapped, TURN_MS],
  );
  return rowCount === 1 ? { ...unmade, objectKey, key } : undefined;
}

/** Shows how far an attempt has come. */
export async function noteProgress(
  db: Queryable,
  { id, objectKey }: ExportAttempt,
  rows: number,
): Promise<void> {
  await db.query(`update exports set rows = $3 where id = $1 and object_key = $2 and state = 'MAKING'`, [
    id,
    objectKey,
    rows,
  ]);
}

/** Makes the written file that of the export. False, and nothing changes, when another attempt has begun since. */
export async function storeExport(
  db: Queryable,
  { id, objectKey }: ExportAttempt,
  { rows, sizeBytes, sha256 }: { rows: number; sizeBytes: number; sha256: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update exports set state = 'READY', wake_at = null, rows = $3, size_bytes = $4, sha256 = $5, finished_at = $6,
       expires_at = $7
     where id = $1 and state = 'MAKING' and object_key = $2`,
    [id, objectKey, rows, sizeBytes, sha256, now, addMs(now, KEPT_DAYS * DAY_MS)],
  );
  return rowCount === 1;
}

/** Gives up an export that cannot be made. It stays in the list for as long as a file would. */
export async function giveExportUp(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(
    `update exports set state = 'FAILED', wake_at = null, finished_at = $2, expires_at = $3
     where id = $1 and state = 'MAKING'`,
    [id, now, addMs(now, KEPT_DAYS * DAY_MS)],
  );
}
