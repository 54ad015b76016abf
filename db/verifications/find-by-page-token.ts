import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import { findTenantOfVerification, findVerification } from './find-verification.ts';
import { idInPageToken, isPageToken } from './page-token.ts';
import type { OpenVerification } from './row.ts';

/** The verification of a hosted page's token. Throws the same not_found for every invalid token. */
export async function getByPageToken(db: Database, token: string): Promise<OpenVerification> {
  const id = idInPageToken(token);
  const tenantId = id && (await findTenantOfVerification(db.pool, id));
  const open = id && tenantId ? await findVerification(db, tenantId, id) : undefined;
  if (!open || !isPageToken(open, token)) throw notFound('verification');
  return open;
}
