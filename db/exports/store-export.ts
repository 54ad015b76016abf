import { randomUUID } from 'node:crypto';
import { addMs, DAY_MS } from '../../domain/durations.ts';
import { KEPT_DAYS, type ExportContent, type ExportRecord } from '../../domain/exports/export.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { openWishes, type ExportRow } from './export-row.ts';
import { TURN_MS } from './insert-export.ts';

type Wishes = Pick<ExportRecord, 'id' | 'tenantId' | 'resource' | 'format' | 'filter' | 'purpose'>;

/** An export that is to be made, and the object that an earlier attempt may have left in the storage. */
export interface UnmadeExport extends Wishes {
  tenant: { name: string; entityId: string };
  leftObjectKey: string | null;
}

/** An attempt at an export: it writes an object of its own, sealed by a key of its own. */
export interface ExportAttempt extends UnmadeExport {
  objectKey: string;
  key: RecordKey;
}

type UnmadeRow = Pick<
  ExportRow,
  'id' | 'tenant_id' | 'resource' | 'format' | 'filter' | 'sealed_filter' | 'purpose'
> & { object_key: string | null; name: string; entity_id: string };

/** Reads an export that is to be made; undefined when it is made, or was given up. */
export async function findUnmadeExport(
  { pool, vault }: Database,
  id: string,
): Promise<UnmadeExport | undefined> {
  const { rows } = await pool.query<UnmadeRow>(
    `select e.id, e.tenant_id, e.resource, e.format, e.filter, e.sealed_filter, e.purpose, e.object_key, t.name, t.entity_id
     from exports e join tenants t on t.id = e.tenant_id where e.id = $1 and e.state = 'MAKING'`,
    [id],
  );
  const row = rows[0];
  if (!row) return undefined;
  const { tenant_id: tenantId, resource, format, object_key: leftObjectKey, name, entity_id: entityId } = row;
  const wishes = openWishes(row, await vault.tenantKeys(tenantId, [row.purpose]));
  return { id, tenantId, resource, format, ...wishes, tenant: { name, entityId }, leftObjectKey };
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
  { rows, sizeBytes, sha256, columns, productVersion }: ExportContent,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update exports set state = 'READY', wake_at = null, rows = $3, size_bytes = $4, sha256 = $5, finished_at = $6,
       expires_at = $7, columns = $8, product_version = $9
     where id = $1 and state = 'MAKING' and object_key = $2`,
    [
      id,
      objectKey,
      rows,
      sizeBytes,
      sha256,
      now,
      addMs(now, KEPT_DAYS * DAY_MS),
      columns && JSON.stringify(columns),
      productVersion,
    ],
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
