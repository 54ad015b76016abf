import type { Readable } from 'node:stream';

/**
 * Where large contents are kept. Keys are of random ids and slashes only and say nothing about anybody; contents come
 * sealed, so that whoever runs the storage reads nothing.
 */
export interface Storage {
  /** Stores all of the content or nothing; throws what the content throws. A key is written once. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Throws ObjectMissing. */
  get(key: string): Promise<Readable>;
  /** Does nothing when there is none. */
  delete(key: string): Promise<void>;
}

/** Nothing is stored under this key. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing';

  constructor() {
    super('the storage has no such object');
  }
}

const KEY = /^[0-9a-f-]{1,64}(\/[0-9a-f-]{1,64}){0,7}$/;

/** Keys become paths: whatever could lead elsewhere is refused. Throws TypeError. */
export function requireKey(key: string): string {
  if (!KEY.test(key)) throw new TypeError('this is no key of an object');
  return key;
}
