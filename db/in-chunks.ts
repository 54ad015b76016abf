/** Large enough for few statements, small enough that little of a file is in memory. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Groups an arriving file into the chunks that are stored. A chunk can be slightly larger than 1 MiB, since arriving
 * parts are not split.
 */
export async function* inChunks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
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
