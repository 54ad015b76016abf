/** Box types at the top of ISO media files are four printable characters; QuickTime's start with a copyright sign at times. */
const TYPE = /^[\x20-\x7e\xa9]{4}$/;
/** A film that says less about itself than this has no track. */
const LEAST_MOOV_BYTES = 100;
const HEADER_BYTES = 8;
const LARGE_HEADER_BYTES = 16;

/**
 * Follows the boxes at the top of an ISO media file (mp4, mov, 3gp) as it comes, without keeping it. A whole film ends
 * where its last box ends, describes a track and has data.
 */
export class IsoMediaBoxWalk {
  #header: Buffer = Buffer.alloc(0);
  /** Bytes of the present box that are still to come. */
  #skip = 0;
  #isOpenEnded = false;
  #isBroken = false;
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
      const wanted = this.#headerBytes() - this.#header.length;
      this.#header = Buffer.concat([this.#header, rest.subarray(0, wanted)]);
      rest = rest.subarray(wanted);
      if (this.#header.length === this.#headerBytes()) this.#enter();
    }
  }

  /** To be asked at the end. */
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
    const isTooSmall =
      !this.#isOpenEnded && size < (type === 'moov' ? LEAST_MOOV_BYTES : this.#header.length);
    this.#isBroken = isTooSmall || !TYPE.test(type);
    this.#skip = this.#isOpenEnded ? 0 : size - this.#header.length;
    this.#seen.add(type);
    this.#header = Buffer.alloc(0);
  }
}
