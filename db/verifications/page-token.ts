import { timingSafeEqual } from 'node:crypto';
import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import { findTenantOfVerification, findVerification } from './find-verification.ts';
import type { OpenVerification } from './row.ts';

const ID_BYTES = 16;
const TOKEN_BYTES = ID_BYTES + 32;

/**
 * The token of the hosted page: the verification's id and a secret derived from the record's key, so that it is not
 * stored and becomes useless with the record. Each page revision has another token.
 */
export function pageTokenOf({ record, key }: OpenVerification): string {
  const id = Buffer.from(record.id.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, key.derive(`hosted-page:${record.pageRevision}`)]).toString('base64url');
}

/** The verification of a hosted page's token. Throws the same not_found for every invalid token. */
export async function getByPageToken(db: Database, token: string): Promise<OpenVerification> {
  const id = idInPageToken(token);
  const tenantId = id && (await findTenantOfVerification(db.pool, id));
  const open = id && tenantId ? await findVerification(db, tenantId, id) : undefined;
  if (!open || !isPageToken(open, token)) throw notFound('verification');
  return open;
}

/** The id in a token; undefined when the text is not a token. */
function idInPageToken(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return undefined;
  const hex = bytes.subarray(0, ID_BYTES).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Compares in constant time. */
function isPageToken(open: OpenVerification, token: string): boolean {
  const [expected, given] = [Buffer.from(pageTokenOf(open)), Buffer.from(token)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
