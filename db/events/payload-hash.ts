import { createHmac } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';

/** The stored, encrypted form of a version of a message that was sent to the other VASP. */
export interface PayloadContent {
  salt: string;
  payload: object;
}

/** The hash of a sent version that its event keeps: HMAC-SHA256 over the canonical JSON, by the salt, in hex. */
export function payloadHash({ salt, payload }: PayloadContent): string {
  return createHmac('sha256', salt).update(canonicalJson(payload)).digest('hex');
}
