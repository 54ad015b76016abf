import type { Readable } from 'node:stream';

/**
 * Storage of large contents. Keys consist of random ids and slashes only and contain no personal data; contents arrive
 * encrypted, so that the operator of the storage cannot read them.
 */
export interface Storage {
  /** Stores all of the content or nothing. A key is written once. Throws the error of `content` if reading it fails. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Throws ObjectMissing. */
  get(key: string): Promise<Readable>;
  /** Deletes the object; does nothing when there is none. */
  delete(key: string): Promise<void>;
}

/** No object is stored under the key. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing';

  constructor() {
    super('the storage has no such object');
  }
}

const KEY = /^[0-9a-f-]{1,64}(\/[0-9a-f-]{1,64}){0,7}$/;

/** Refuses a key that could lead outside of the storage, since keys become paths. Throws TypeError. */
export function requireKey(key: string): string {
  if (!KEY.test(key)) throw new TypeError('not a valid object key');
  return key;
}
