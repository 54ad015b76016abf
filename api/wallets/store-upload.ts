import type { Queryable } from '../../db/postgres.ts';
import { inChunks } from '../../db/in-chunks.ts';
import { insertChunk, type UploadRef } from '../../db/wallet-imports/chunks.ts';
import type { TenantKeys } from '../../db/vault/tenant-keys.ts';

/** Stores a file while it arrives, in sealed pieces; returns how many. */
export async function storeUpload(
  db: Queryable,
  keys: TenantKeys,
  place: UploadRef,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  let count = 0;
  for await (const chunk of inChunks(content)) {
    await insertChunk(db, keys, place, { sequence: count, content: chunk });
    count += 1;
  }
  return count;
}
