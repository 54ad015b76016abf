import { countTry, forgetTries } from '../../db/users/counted-tries.ts';
import type { Queryable } from '../../db/postgres.ts';
import { findPasswordHash, keepPassword } from '../../db/users/change-password.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import { failuresOf } from '../auth/sign-in-limits.ts';
import type { Deps } from '../deps.ts';

interface GivenPassword {
  user: UserRecord;
  password: string;
  address: string;
}

/**
 * Returns the stored hash of the password. Throws validation_failed for a wrong password, rate_limited after too many. A try
 * counts as a sign-in does.
 */
export async function requireCurrentPassword(
  { db, passwords }: Deps,
  { user, password, address }: GivenPassword,
): Promise<string> {
  const failures = failuresOf(db, { email: user.email, address });
  const passwordHash = await passwords.inTurn(user.tenantId, async () => {
    await countTry(db.pool, failures, new Date());
    const stored = await findPasswordHash(db, user.tenantId, user.id);
    if (stored !== null && (await passwords.matches(password, stored))) return stored;
    throw invalidField('/currentPassword', 'wrong', 'This is not the current password.');
  });
  await forgetTries(db.pool, failures);
  return passwordHash;
}

/** Throws unauthenticated if the password of a user was changed since it was found right. The user stays locked. */
export async function requireSamePassword(
  tx: Queryable,
  { id: userId }: UserRecord,
  passwordHash: string,
): Promise<void> {
  if (await keepPassword(tx, { userId, passwordHash })) return;
  throw new DomainError('unauthenticated', 'The password was changed meanwhile. Sign in again.');
}
