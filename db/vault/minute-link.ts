import { timingSafeEqual } from 'node:crypto';
import { notFound } from '../../domain/errors.ts';
import type { Vault } from './vault.ts';

const LIFE_MS = 60_000;
const ID_BYTES = 16;
const TIME_BYTES = 6;
// Layout: id of the file, end of validity, then a keyed hash of both.
const TIME_AT = ID_BYTES;
const CODE_AT = TIME_AT + TIME_BYTES;
const LINK_BYTES = CODE_AT + 32;

/** What a link leads to: a link to one kind of file is none to another. */
export type LinkedFile = 'report' | 'export';

/** Issues a token with which its bearer can fetch one file for a minute. */
export function makeMinuteLink(
  vault: Vault,
  { what, id }: { what: LinkedFile; id: string },
  now: Date,
): { token: string; expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + LIFE_MS);
  const signed = Buffer.alloc(CODE_AT);
  Buffer.from(id.replaceAll('-', ''), 'hex').copy(signed);
  signed.writeUIntBE(expiresAt.getTime(), TIME_AT, TIME_BYTES);
  const token = Buffer.concat([signed, codeOf(vault, what, signed)]).toString('base64url');
  return { token, expiresAt };
}

/** The id of the file that a link leads to. Throws the same not_found for a forged, changed or expired one. */
export function openMinuteLink(vault: Vault, what: LinkedFile, token: string, now: Date): string {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== LINK_BYTES || bytes.toString('base64url') !== token) throw notFound(what);
  const signed = bytes.subarray(0, CODE_AT);
  if (!timingSafeEqual(codeOf(vault, what, signed), bytes.subarray(CODE_AT))) throw notFound(what);
  if (signed.readUIntBE(TIME_AT, TIME_BYTES) <= now.getTime()) throw notFound(what);
  const hex = signed.toString('hex', 0, ID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function codeOf(vault: Vault, what: LinkedFile, signed: Buffer): Buffer {
  return vault.deploymentHash(`${what}-link`, signed.toString('hex'));
}
