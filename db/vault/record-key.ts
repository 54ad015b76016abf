import { createHmac } from 'node:crypto';
import { seal, unseal, type SealingKey } from './cipher.ts';
import { compressedJsonBytes, fromJsonBytes, jsonBytes } from './sealed-json.ts';

/** The data key of one transaction or verification. Deleting its wrapped copy erases everything it sealed. */
export class RecordKey {
  readonly #key: SealingKey;
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
    // Not a KeyObject: creating one costs as much as opening a short value, and a record key lives for one request.
    this.#key = { version: 1, secret };
  }

  /** Seals a JSON value for one context, such as `transactions:personal:<tenant>:<id>`. */
  seal(context: string, value: unknown): Buffer {
    return this.sealBytes(context, jsonBytes(value));
  }

  /** Like `seal`, for long values that repeat themselves: they are compressed first. */
  sealCompressed(context: string, value: unknown): Buffer {
    return this.sealBytes(context, compressedJsonBytes(value));
  }

  /** Opens what `seal` or `sealCompressed` made for the same context. Throws SealedValueError. */
  open<T>(context: string, sealed: Buffer): T {
    return fromJsonBytes<T>(this.openBytes(context, sealed));
  }

  sealBytes(context: string, plain: Uint8Array): Buffer {
    return seal(this.#key, context, plain);
  }

  openBytes(context: string, sealed: Buffer): Buffer {
    return unseal(this.#key, context, sealed);
  }

  /** Derives a secret of 32 bytes, different for each purpose; it needs the key of this record. */
  derive(purpose: string): Buffer {
    return createHmac('sha256', this.#secret).update(`derive:${purpose}`).digest();
  }
}
