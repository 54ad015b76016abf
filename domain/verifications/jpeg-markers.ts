const MARKER = 0xff;
const [START_OF_IMAGE, END_OF_IMAGE, START_OF_SCAN] = [0xd8, 0xd9, 0xda];

/** Codes after 0xFF that stand alone: stuffing, TEM, restarts, SOI, EOI and the fill byte. All others begin a segment. */
function standsAlone(code: number): boolean {
  return code <= 0x01 || (code >= 0xd0 && code <= END_OF_IMAGE) || code === MARKER;
}

/**
 * Follows the markers of a JPEG (ITU-T T.81, annex B) through chunks of any size. Skips segments by their length, so that
 * the thumbnail in one of them does not end the picture.
 */
export class JpegMarkerWalk {
  #state: 'SEEK' | 'CODE' | 'LENGTH' | 'SKIP' | 'END' | 'CUT' = 'SEEK';
  /** Bytes of the segment that are still to be skipped. */
  #left = 0;
  #lengthByte: number | null = null;
  #hasScan = false;

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && !this.#isOver();) at = this.#step(chunk, at);
  }

  /** True if picture data began and ended; what follows the end belongs to other programs. */
  isWhole(): boolean {
    return this.#state === 'END';
  }

  #isOver(): boolean {
    return this.#state === 'END' || this.#state === 'CUT';
  }

  #step(chunk: Uint8Array, at: number): number {
    if (this.#state === 'SEEK') return this.#seek(chunk, at);
    if (this.#state === 'SKIP') return this.#skip(chunk, at);
    const byte = chunk[at] ?? 0;
    if (this.#state === 'CODE') this.#readCode(byte);
    else this.#readLength(byte);
    return at + 1;
  }

  #seek(chunk: Uint8Array, at: number): number {
    const found = chunk.indexOf(MARKER, at);
    if (found < 0) return chunk.length;
    this.#state = 'CODE';
    return found + 1;
  }

  #skip(chunk: Uint8Array, at: number): number {
    const skipped = Math.min(this.#left, chunk.length - at);
    this.#left -= skipped;
    if (this.#left === 0) this.#state = 'SEEK';
    return at + skipped;
  }

  #readCode(code: number): void {
    if (code === END_OF_IMAGE && this.#hasScan) this.#state = 'END';
    // Another picture begins where this one should have ended.
    else if (code === START_OF_IMAGE && this.#hasScan) this.#state = 'CUT';
    else if (!standsAlone(code)) this.#beginSegment(code);
    else if (code !== MARKER) this.#state = 'SEEK';
  }

  #beginSegment(code: number): void {
    this.#state = 'LENGTH';
    this.#hasScan ||= code === START_OF_SCAN;
  }

  /** The length has two bytes and counts itself. */
  #readLength(byte: number): void {
    if (this.#lengthByte === null) {
      this.#lengthByte = byte;
      return;
    }
    this.#left = Math.max(0, this.#lengthByte * 256 + byte - 2);
    this.#lengthByte = null;
    this.#state = this.#left === 0 ? 'SEEK' : 'SKIP';
  }
}
