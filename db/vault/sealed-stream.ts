import { SealedValueError } from './cipher.ts';
import type { RecordKey } from './record-key.ts';

/** Plain bytes of a frame; every one but the last is full. */
const FRAME_BYTES = 64 * 1024;
/** Bytes that sealing adds to a frame: format, key version, IV, tag. */
const OVERHEAD_BYTES = 33;
const SEALED_FRAME_BYTES = FRAME_BYTES + OVERHEAD_BYTES;

/**
 * Seals content of any length in frames. The context of each frame contains its index and whether it is the last, so
 * that no frame can be missing, repeated, exchanged or cut off.
 */
export async function* sealStream(
  key: RecordKey,
  context: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let index = 0;
  for await (const { frame, isLast } of inFrames(content, FRAME_BYTES)) {
    yield key.sealBytes(frameContext(context, { index, isLast }), frame);
    index += 1;
  }
}

/** Opens what `sealStream` made, frame by frame. Throws SealedValueError, at the latest after the last frame. */
export async function* openStream(
  key: RecordKey,
  context: string,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let index = 0;
  for await (const { frame, isLast } of inFrames(sealed, SEALED_FRAME_BYTES)) {
    if (frame.length < OVERHEAD_BYTES) throw new SealedValueError('A sealed content ends too early.');
    yield key.openBytes(frameContext(context, { index, isLast }), frame);
    index += 1;
  }
}

function frameContext(context: string, { index, isLast }: { index: number; isLast: boolean }): string {
  return `${context}:${index}:${isLast ? 'last' : 'more'}`;
}

/**
 * Splits content into frames of exactly `size` bytes and a last, shorter one, which is empty only when the content
 * is.
 */
async function* inFrames(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ frame: Buffer; isLast: boolean }> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    waiting = waiting.length === 0 ? Buffer.from(chunk) : Buffer.concat([waiting, chunk]);
    // A full frame waits for the next byte, which shows that it is not the last.
    while (waiting.length > size) {
      yield { frame: waiting.subarray(0, size), isLast: false };
      waiting = waiting.subarray(size);
    }
  }
  yield { frame: waiting, isLast: true };
}
