import { timingSafeEqual } from 'node:crypto';
import type { RecordKey } from '../vault/record-key.ts';

const ID_BYTES = 16;
const TOKEN_BYTES = ID_BYTES + 32;

/**
 * The token of a link: its id and a secret derived from the key of the record that it shows, so that it is not stored, can be
 * sent again, and becomes useless with the record.
 */
export function portalTokenOf(linkId: string, key: RecordKey): string {
  const id = Buffer.from(linkId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, key.derive(`portal:${linkId}`)]).toString('base64url');
}

/** The id in a token; undefined when the text is not a token. */
export function linkIdIn(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return undefined;
  const hex = bytes.subarray(0, ID_BYTES).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether the token is the one of the link. Compares in constant time. */
export function isTokenOf(linkId: string, key: RecordKey, token: string): boolean {
  const [expected, given] = [Buffer.from(portalTokenOf(linkId, key)), Buffer.from(token)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
