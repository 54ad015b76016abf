import { UnreadableFile } from './label-fault.ts';

/** The text of a file while it arrives, without a byte order mark. Throws UnreadableFile where it is not UTF-8. */
export async function* decodeFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UnreadableFile(null, 'encoding_invalid', 'The file is not UTF-8.');
  }
}
