import { UnreadableFile } from './label-fault.ts';

/** The text of a file while it arrives, without a byte order mark. Throws UnreadableFile where it is not UTF-8. */
export async function* decodeFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) yield decoded(() => decoder.decode(chunk, { stream: true }));
  yield decoded(() => decoder.decode());
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new UnreadableFile(null, 'encoding_invalid', 'The file is not UTF-8.');
  }
}
