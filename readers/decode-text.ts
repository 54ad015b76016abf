import { setImmediate as letOthersRun } from 'node:timers/promises';
import { decoderOf, type Encodings } from './text-decoder.ts';

/** Small enough that the process can do something else between two pieces. */
const PIECE_BYTES = 64 * 1024;
/** Enough for a byte order mark and for the declaration of an XML file. */
const HEAD_BYTES = 256;

/**
 * The text of a file in pieces of at most 64 kB, without its byte order mark; other work of the process comes in between.
 * Throws UnreadableFile.
 */
export async function* decodeText(
  content: AsyncIterable<Uint8Array>,
  encodings: Encodings,
): AsyncGenerator<string> {
  let decoder: ReturnType<typeof decoderOf> | undefined;
  let head = Buffer.alloc(0);
  for await (const piece of pieces(content)) {
    if (decoder) {
      yield decoder.write(piece);
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < HEAD_BYTES) continue;
    decoder = decoderOf(head, encodings);
    yield decoder.write(head);
  }
  if (!decoder) {
    decoder = decoderOf(head, encodings);
    yield decoder.write(head);
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

async function* pieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let givenBytes = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      yield piece;
      givenBytes += piece.length;
      if (givenBytes < PIECE_BYTES) continue;
      givenBytes = 0;
      await letOthersRun();
    }
  }
}
