import { randomBytes } from 'node:crypto';

export const IV_BYTES = 12;
const IVS_PER_DRAW = 512;

let drawn: Buffer = Buffer.alloc(0);

/**
 * A random IV, never returned before. IVs are drawn in bulk: a draw per IV costs as much as sealing a short value.
 */
export function randomIv(): Buffer {
  if (drawn.length === 0) drawn = randomBytes(IV_BYTES * IVS_PER_DRAW);
  const iv = drawn.subarray(0, IV_BYTES);
  drawn = drawn.subarray(IV_BYTES);
  return iv;
}
