import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import type { Queryable } from '../postgres.ts';

/** Which upload a piece belongs to; the id is that of the import which it may become. */
export interface UploadPlace {
  tenantId: string;
  id: string;
}

/** The time by the database's clock, which says whether an import ended before or after an upload began. */
export async function uploadBegin(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now');
  if (!rows[0]) throw new Error('the database told no time');
  return rows[0].now;
}

/** A piece of an upload is not there: it can never be imported. */
export class UploadLost extends Error {}

/** Stores one piece of an upload, sealed: metadata may name people. */
export async function insertChunk(
  db: Queryable,
  keys: TenantKeys,
  place: UploadPlace,
  sequence: number,
  content: Uint8Array,
): Promise<void> {
  await db.query(
    `insert into wallet_import_chunks (tenant_id, import_id, sequence, content, created_at)
     values ($1, $2, $3, $4, now())`,
    [
      place.tenantId,
      place.id,
      sequence,
      keys.sealBytes(sealingContext.walletImport.chunk(place, sequence), content),
    ],
  );
}

export async function deleteChunks(db: Queryable, { tenantId, id }: UploadPlace): Promise<void> {
  await db.query('delete from wallet_import_chunks where tenant_id = $1 and import_id = $2', [tenantId, id]);
}

/** The pieces in order, one at a time. Throws UploadLost. */
export async function* readChunks(db: Database, place: UploadPlace, count: number): AsyncGenerator<Buffer> {
  for (let sequence = 0; sequence < count; sequence += 1) {
    const { rows } = await db.pool.query<{ content: Buffer }>(
      'select content from wallet_import_chunks where tenant_id = $1 and import_id = $2 and sequence = $3',
      [place.tenantId, place.id, sequence],
    );
    const sealed = rows[0]?.content;
    if (!sealed) throw new UploadLost('a piece of the upload is missing');
    const keys = await db.vault.tenantKeys(place.tenantId, [sealed]);
    yield keys.openBytes(sealingContext.walletImport.chunk(place, sequence), sealed);
  }
}
