/** Top-level box types of ISO media files are four printable characters; some of QuickTime's start with a copyright sign. */
const TYPE = /^[\x20-\x7e\xa9]{4}$/;
/** A smaller moov box cannot describe a track. */
const MIN_MOOV_BYTES = 100;
/** More boxes than a video of an hour has, in fragments of a second; reading more would cost more than the file is worth. */
const MAX_BOXES = 20_000;
const HEADER_BYTES = 8;
const LARGE_HEADER_BYTES = 16;

/**
 * Walks the top-level boxes of a streamed ISO media file (mp4, mov, 3gp) without storing it. A complete file ends with
 * its last box, describes a track and has media data.
 */
export class IsoMediaBoxWalk {
  #header: Buffer = Buffer.alloc(0);
  /** Remaining bytes of the current box. */
  #skip = 0;
  #isOpenEnded = false;
  #isBroken = false;
  #boxes = 0;
  readonly #seen = new Set<string>();

  push(chunk: Uint8Array): void {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (rest.length > 0 && !this.#isBroken && !this.#isOpenEnded) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, rest.length);
        this.#skip -= skipped;
        rest = rest.subarray(skipped);
        continue;
      }
      const missing = this.#headerBytes() - this.#header.length;
      this.#header = Buffer.concat([this.#header, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (this.#header.length === this.#headerBytes()) this.#enter();
    }
  }

  /** Whether the file is complete; call it after the last chunk. */
  isWhole(): boolean {
    const isAtEnd = this.#header.length === 0 && this.#skip === 0;
    const hasData = this.#seen.has('mdat') || this.#seen.has('moof');
    return !this.#isBroken && isAtEnd && this.#seen.has('moov') && hasData;
  }

  /** A size of 1 means that the size follows the type. */
  #headerBytes(): number {
    const isLarge = this.#header.length >= 4 && this.#header.readUInt32BE(0) === 1;
    return isLarge ? LARGE_HEADER_BYTES : HEADER_BYTES;
  }

  #enter(): void {
    const type = this.#header.toString('latin1', 4, 8);
    const size =
      this.#header.length === LARGE_HEADER_BYTES
        ? Number(this.#header.readBigUInt64BE(8))
        : this.#header.readUInt32BE(0);
    this.#isOpenEnded = size === 0;
    const isTooSmall = !this.#isOpenEnded && size < (type === 'moov' ? MIN_MOOV_BYTES : this.#header.length);
    this.#boxes += 1;
    this.#isBroken = isTooSmall || !TYPE.test(type) || this.#boxes > MAX_BOXES;
    this.#skip = this.#isOpenEnded ? 0 : size - this.#header.length;
    this.#seen.add(type);
    this.#header = Buffer.alloc(0);
  }
}
