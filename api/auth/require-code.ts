import type { Database } from '../../db/database.ts';
import type { Queryable } from '../../db/postgres.ts';
import { lockFactor, storeFactor, withCodeTaken } from '../../db/users/second-factor.ts';
import { DomainError } from '../../domain/errors.ts';
import type { UserRecord } from '../../domain/users/user.ts';

interface GivenCode {
  user: UserRecord;
  code: string | undefined;
  now: Date;
}

/**
 * Takes the code of a user whose password was right, if they have a second factor. Throws code_required without a code,
 * unauthenticated if it does not count.
 */
export async function requireCode(
  db: Database,
  tx: Queryable,
  { user, code, now }: GivenCode,
): Promise<void> {
  const locked = await lockFactor(db, tx, user);
  if (!locked?.since) return;
  if (code === undefined) throw new DomainError('code_required', 'Send the code of the second factor, too.');
  const after = withCodeTaken(locked, code, now);
  if (!after)
    throw new DomainError('unauthenticated', 'This code does not count (any more). Take the next one.');
  await storeFactor(tx, user, after, await db.vault.tenantKeys(user.tenantId));
}
