import type { Queryable } from '../../db/database.ts';
import { insertChunk, type UploadPlace } from '../../db/wallet-imports/chunks.ts';
import type { TenantKeys } from '../../db/vault/tenant-keys.ts';

/** Large enough for few statements, small enough that nothing of a file stays in memory for long. */
const CHUNK_BYTES = 1024 * 1024;

/** Stores a file while it arrives, in sealed pieces; returns how many. */
export async function storeUpload(
  db: Queryable,
  keys: TenantKeys,
  place: UploadPlace,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  let count = 0;
  for await (const chunk of inChunks(content)) {
    await insertChunk(db, keys, place, count, chunk);
    count += 1;
  }
  return count;
}

async function* inChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const part of content) {
    parts.push(part);
    length += part.length;
    if (length < CHUNK_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(parts);
}
