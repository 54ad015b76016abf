import type { Database } from '../../db/database.ts';
import { inTransaction, type Queryable } from '../../db/postgres.ts';
import { noteSignIn, startSession } from '../../db/users/sessions.ts';
import { viewUser, type SignedIn } from '../../domain/users/schema.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import { ACCESS_SECONDS, accessTokenOf } from './access-token.ts';

interface Entry {
  user: UserRecord;
  /** The stored hash of the password that was right. */
  passwordHash: string | null;
  now: Date;
  /** Written in the transaction that starts the session. */
  also: (tx: Queryable) => Promise<void>;
}

/**
 * Starts a session of a user who has shown who they are. Null if the password was changed or the user was disabled in the
 * meantime: that has ended all sessions, and this one would outlive it.
 */
export async function letIn(
  db: Database,
  { user, passwordHash, now, also }: Entry,
): Promise<SignedIn | null> {
  const session = await inTransaction(db.pool, async (tx) => {
    if (!(await noteSignIn(tx, { userId: user.id, passwordHash, now }))) return null;
    await also(tx);
    return await startSession(tx, { userId: user.id, tenantId: user.tenantId, now });
  });
  if (!session) return null;
  return {
    accessToken: await accessTokenOf(db, { userId: user.id, sessionId: session.id }, now),
    refreshToken: session.refreshToken,
    expiresIn: ACCESS_SECONDS,
    user: viewUser({ ...user, lastSignInAt: now }),
  };
}
