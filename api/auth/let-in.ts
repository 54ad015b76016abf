import type { Database } from '../../db/database.ts';
import type { Queryable } from '../../db/postgres.ts';
import { noteSignIn, startSession } from '../../db/users/sessions.ts';
import { viewUser, type SignedIn } from '../../domain/users/schema.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import { ACCESS_SECONDS, accessTokenOf } from './access-token.ts';

interface Entry {
  user: UserRecord;
  /** The stored hash of the password that was right. */
  passwordHash: string | null;
  now: Date;
}

/**
 * Starts a session of a user who has shown who they are, and locks the user. Null if the password was changed or the user was
 * disabled in the meantime: that has ended all sessions, and this one would outlive it.
 */
export async function letIn(
  db: Database,
  tx: Queryable,
  { user, passwordHash, now }: Entry,
): Promise<SignedIn | null> {
  if (!(await noteSignIn(tx, { userId: user.id, passwordHash, now }))) return null;
  const session = await startSession(tx, { userId: user.id, tenantId: user.tenantId, now });
  return {
    accessToken: await accessTokenOf(db, { userId: user.id, sessionId: session.id }, now),
    refreshToken: session.refreshToken,
    expiresIn: ACCESS_SECONDS,
    user: viewUser({ ...user, lastSignInAt: now }),
  };
}
