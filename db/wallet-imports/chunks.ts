import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import type { Queryable } from '../postgres.ts';

/** An upload; its id is that of the import which it may become. */
export interface UploadRef {
  tenantId: string;
  id: string;
}

/** The time by the database clock, against which the end of an import is compared with the start of an upload. */
export async function uploadBegin(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now');
  if (!rows[0]) throw new Error('the database returned no time');
  return rows[0].now;
}

/** A chunk of an upload is missing: it can never be imported. */
export class UploadLost extends Error {}

/** Stores one chunk of an upload, encrypted, since metadata may name people. */
export async function insertChunk(
  db: Queryable,
  keys: TenantKeys,
  upload: UploadRef,
  { sequence, content }: { sequence: number; content: Uint8Array },
): Promise<void> {
  await db.query(
    `insert into wallet_import_chunks (tenant_id, import_id, sequence, content, created_at)
     values ($1, $2, $3, $4, now())`,
    [
      upload.tenantId,
      upload.id,
      sequence,
      keys.sealBytes(sealingContext.walletImport.chunk(upload, sequence), content),
    ],
  );
}

/** Deletes the chunks of an upload. */
export async function deleteChunks(db: Queryable, { tenantId, id }: UploadRef): Promise<void> {
  await db.query('delete from wallet_import_chunks where tenant_id = $1 and import_id = $2', [tenantId, id]);
}

/** Reads the chunks in order, one at a time. Throws UploadLost when one is missing. */
export async function* readChunks(db: Database, upload: UploadRef, count: number): AsyncGenerator<Buffer> {
  for (let sequence = 0; sequence < count; sequence += 1) {
    const { rows } = await db.pool.query<{ content: Buffer }>(
      'select content from wallet_import_chunks where tenant_id = $1 and import_id = $2 and sequence = $3',
      [upload.tenantId, upload.id, sequence],
    );
    const sealed = rows[0]?.content;
    if (!sealed) throw new UploadLost('a piece of the upload is missing');
    const keys = await db.vault.tenantKeys(upload.tenantId, [sealed]);
    yield keys.openBytes(sealingContext.walletImport.chunk(upload, sequence), sealed);
  }
}
