import { countTry, forgetTries } from '../../db/users/counted-tries.ts';
import { findPasswordHash } from '../../db/users/change-password.ts';
import { invalidField } from '../../domain/errors.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import { failuresOf } from '../auth/sign-in-limits.ts';
import type { Deps } from '../deps.ts';

interface GivenPassword {
  user: UserRecord;
  password: string;
  address: string;
}

/** Throws validation_failed for a wrong password, rate_limited after too many. A try counts as a sign-in does. */
export async function requireCurrentPassword(
  { db, passwords }: Deps,
  { user, password, address }: GivenPassword,
): Promise<void> {
  const failures = failuresOf(db, { email: user.email, address });
  await passwords.inTurn(async () => {
    await countTry(db.pool, failures, new Date());
    const stored = await findPasswordHash(db, user.tenantId, user.id);
    if (!(await passwords.matches(password, stored)))
      throw invalidField('/currentPassword', 'wrong', 'This is not the current password.');
  });
  await forgetTries(db.pool, failures);
}
