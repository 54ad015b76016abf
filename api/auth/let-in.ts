import type { Database } from '../../db/database.ts';
import { queueNotice } from '../../db/mails/queue-notice.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { Queryable } from '../../db/postgres.ts';
import { noteAddress } from '../../db/users/note-address.ts';
import { noteSignIn, startSession, type StartedSession } from '../../db/users/sessions.ts';
import { viewUser, type SignedIn } from '../../domain/users/schema.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import { ACCESS_SECONDS, accessTokenOf } from './access-token.ts';

interface Entry {
  user: UserRecord;
  /** The stored hash of the password that was right. */
  passwordHash: string | null;
  /** The address of the client. */
  address: string;
  now: Date;
}

/** A user who has come in, and the mail that tells of an address that was not seen before. */
export interface EnteredSession {
  user: UserRecord;
  session: StartedSession;
  outbox: OutboxEntry[];
}

/**
 * Starts a session of a user who has shown who they are, and locks the user. Null if the password was changed or the user was
 * disabled in the meantime: that has ended all sessions, and this one would outlive it. Load the tenant's keys first: loading
 * needs a second connection.
 */
export async function letIn(db: Database, tx: Queryable, entry: Entry): Promise<EnteredSession | null> {
  const { user, passwordHash, now } = entry;
  if (!(await noteSignIn(tx, { userId: user.id, passwordHash, now }))) return null;
  const session = await startSession(db, tx, { userId: user.id, tenantId: user.tenantId, now });
  return {
    user: { ...user, lastSignInAt: now },
    session,
    outbox: await noticeNewAddress(db, tx, { ...entry, sessionId: session.id }),
  };
}

async function noticeNewAddress(
  db: Database,
  tx: Queryable,
  { user, address, sessionId, now }: Entry & { sessionId: string },
): Promise<OutboxEntry[]> {
  const { id: userId, tenantId } = user;
  if (!(await noteAddress(db, tx, { tenantId, userId, address, now }))) return [];
  const notice = {
    kind: 'SIGN_IN_FROM_NEW_ADDRESS' as const,
    user: user.name ?? `The user ${userId}`,
    address,
    signedInAt: now,
  };
  return await queueNotice(db, tx, { tenantId, notice, once: sessionId, now });
}

/** The tokens of a user who has come in. */
export async function tokensOf(
  db: Database,
  { user, session }: EnteredSession,
  now: Date,
): Promise<SignedIn> {
  return {
    accessToken: await accessTokenOf(db, { userId: user.id, sessionId: session.id }, now),
    refreshToken: session.refreshToken,
    expiresIn: ACCESS_SECONDS,
    user: viewUser(user),
  };
}
