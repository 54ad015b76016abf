import { createHmac } from 'node:crypto';
import type { SealingKey } from './cipher.ts';

/** A secret of 32 bytes for one purpose, derived from a key of the vault. */
export function purposeKey({ secret }: SealingKey, purpose: string): Buffer {
  return createHmac('sha256', secret).update(`purpose:${purpose}`).digest();
}
