import { timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import { tenantSuspended } from '../../domain/tenants/suspended.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import type { Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import {
  endSession,
  isOwnToken,
  newRefreshToken,
  REFRESH_HOURS,
  refreshHash,
  sessionOfToken,
} from './sessions.ts';
import { toUser, USER_COLUMNS, type UserRow } from './user-row.ts';

/** A refresh is a GET, which a client or a proxy may repeat: for so long the token before gets the same pair again. */
const GRACE_MS = 10_000;

/** The tokens that follow a refresh token. */
interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

export interface RefreshedSession {
  user: UserRecord;
  tokens: TokenPair;
}

interface SessionRow extends UserRow {
  session_id: string;
  refresh_hash: Buffer;
  previous_refresh_hash: Buffer | null;
  successor: Buffer | null;
  refreshed_at: Date;
  suspended: boolean;
}

interface Refresh {
  token: string;
  now: Date;
  /** Makes the access token of the session. */
  makeAccessToken: (user: UserRecord, sessionId: string) => Promise<string>;
}

/**
 * Exchanges a refresh token for the next pair. Whoever brings a token that was exchanged before has it from somewhere: the
 * session ends with all its tokens, for everybody who holds one. A token that never was one of the session changes nothing.
 * Throws unauthenticated, tenant_suspended.
 */
export async function refreshSession(db: Database, refresh: Refresh): Promise<RefreshedSession> {
  const sessionId = sessionOfToken(refresh.token);
  const isKnown = sessionId !== null && (await loadKeysOf(db, sessionId));
  const refreshed = isKnown && (await inTransaction(db.pool, async (tx) => await exchange(db, tx, refresh)));
  if (!refreshed)
    throw new DomainError('unauthenticated', 'This refresh token does not count. Sign in again.');
  return refreshed;
}

/** Loads the keys of a session's tenant, which takes a connection of its own. False if there is no such session. */
async function loadKeysOf({ pool, vault }: Database, sessionId: string): Promise<boolean> {
  const { rows } = await pool.query<{ tenant_id: string }>(
    'select tenant_id from user_sessions where id = $1',
    [sessionId],
  );
  if (!rows[0]) return false;
  await vault.tenantKeys(rows[0].tenant_id);
  return true;
}

/** Null if the token does not count, which is committed too. */
async function exchange(db: Database, tx: Queryable, refresh: Refresh): Promise<RefreshedSession | null> {
  const { token, now } = refresh;
  const session = await lockSession(tx, token, now);
  if (!session) return null;
  const keys = await db.vault.tenantKeys(
    session.tenant_id,
    [session.personal, session.successor].filter((sealed) => sealed !== null),
  );
  const given = refreshHash(token);
  const isCurrent = timingSafeEqual(given, session.refresh_hash);
  const repeated = isCurrent ? null : repeatedPair(session, { given, keys, now });
  if ((isCurrent || repeated) && session.suspended) throw tenantSuspended();
  if (isCurrent) return await rotate(db, tx, session, { keys, ...refresh });
  if (repeated) return { user: toUser(keys, session), tokens: repeated };
  if (wasOfSession(db, session, { token, given })) await endSession(tx, session.session_id, now);
  return null;
}

async function lockSession(tx: Queryable, token: string, now: Date): Promise<SessionRow | undefined> {
  const { rows } = await tx.query<SessionRow>(
    `select s.id as session_id, s.refresh_hash, s.previous_refresh_hash, s.successor, s.refreshed_at, ${USER_COLUMNS},
       t.suspended_at is not null as suspended
     from user_sessions s join users u on u.id = s.user_id join tenants t on t.id = s.tenant_id
     where s.id = $1 and s.ended_at is null and s.expires_at > $2 and u.disabled_at is null
       and coalesce(u.expires_at > $2, true) for update of s`,
    [sessionOfToken(token), now],
  );
  return rows[0];
}

/** The version before did not mark its tokens, so the direct predecessor is known by its hash, too. */
function wasOfSession(
  db: Database,
  { previous_refresh_hash: previous }: SessionRow,
  { token, given }: { token: string; given: Buffer },
): boolean {
  return isOwnToken(db, token) || (previous !== null && timingSafeEqual(given, previous));
}

async function rotate(
  db: Database,
  tx: Queryable,
  session: SessionRow,
  { keys, now, token, makeAccessToken }: Refresh & { keys: TenantKeys },
): Promise<RefreshedSession> {
  const user = toUser(keys, session);
  const tokens = {
    accessToken: await makeAccessToken(user, session.session_id),
    refreshToken: newRefreshToken(db, session.session_id),
  };
  await tx.query(
    `update user_sessions set refresh_hash = $2, previous_refresh_hash = $3, successor = $4, refreshed_at = $5::timestamptz,
       expires_at = $5::timestamptz + make_interval(hours => $6) where id = $1`,
    [
      session.session_id,
      refreshHash(tokens.refreshToken),
      refreshHash(token),
      keys.seal(successorContext(session), tokens),
      now,
      REFRESH_HOURS,
    ],
  );
  return { user, tokens };
}

/** The pair that the direct predecessor of the current token got a moment ago. */
function repeatedPair(
  session: SessionRow,
  { given, keys, now }: { given: Buffer; keys: TenantKeys; now: Date },
): TokenPair | null {
  const { previous_refresh_hash: previous, successor, refreshed_at: refreshedAt } = session;
  if (!previous || !successor || !timingSafeEqual(given, previous)) return null;
  if (now.getTime() - refreshedAt.getTime() > GRACE_MS) return null;
  return keys.open<TokenPair>(successorContext(session), successor);
}

function successorContext({ tenant_id: tenantId, session_id: id }: SessionRow): string {
  return sealingContext.session.successor(tenantId, id);
}
