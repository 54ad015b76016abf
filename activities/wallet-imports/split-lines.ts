const NEWLINE = 0x0a;
/** Small enough that the process can do something else between two pieces. */
const PIECE_BYTES = 64 * 1024;

/** A line that goes on and on. */
export class LineTooLong extends Error {}

/**
 * The same bytes in pieces that end with a line, so that no piece ends in the middle of a character. Throws LineTooLong
 * as soon as a line is longer than `maxLineBytes`.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = Buffer.concat([rest, chunk.subarray(at, at + PIECE_BYTES)]);
      const end = piece.lastIndexOf(NEWLINE) + 1;
      if (end > 0) yield piece.subarray(0, end);
      rest = Buffer.from(piece.subarray(end));
      if (rest.length > maxLineBytes) throw new LineTooLong('a line is too long');
    }
  }
  if (rest.length > 0) yield rest;
}
