import type { Database } from '../../db/database.ts';
import { inTransaction, type Queryable } from '../../db/postgres.ts';
import { startSession } from '../../db/users/sessions.ts';
import { viewUser, type SignedIn } from '../../domain/users/schema.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import { ACCESS_SECONDS, accessTokenOf } from './access-token.ts';

interface Entry {
  user: UserRecord;
  now: Date;
  /** Written in the transaction that starts the session. */
  also: (tx: Queryable) => Promise<void>;
}

/** Starts a session of a user who has shown who they are. */
export async function letIn(db: Database, { user, now, also }: Entry): Promise<SignedIn> {
  const session = await inTransaction(db.pool, async (tx) => {
    await also(tx);
    await tx.query('update users set last_sign_in_at = $2 where id = $1', [user.id, now]);
    return await startSession(tx, { userId: user.id, tenantId: user.tenantId, now });
  });
  return {
    accessToken: await accessTokenOf(db, { userId: user.id, sessionId: session.id }, now),
    refreshToken: session.refreshToken,
    expiresIn: ACCESS_SECONDS,
    user: viewUser({ ...user, lastSignInAt: now }),
  };
}
