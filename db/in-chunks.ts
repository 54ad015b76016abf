/** Large enough for few statements, small enough that nothing of a file stays in memory for long. */
const CHUNK_BYTES = 1024 * 1024;

/** A file that arrives, in the pieces in which it is stored. A piece ends where bytes arrived in one go, so it may be a little larger. */
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
