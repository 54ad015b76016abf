import { DomainError } from '../../domain/errors.ts';
import type { TenantCaller } from '../../domain/tenants/caller.ts';
import type { Role } from '../../domain/tenants/role.ts';
import { callingTenant, TENANT_COLUMNS, type CallingTenantRow } from '../api-keys/calling-tenant.ts';
import type { Database } from '../database.ts';
import { naturalBatch } from '../natural-batch.ts';
import type { Queryable } from '../postgres.ts';
import type { SessionClaims } from '../vault/session-tokens.ts';

interface SessionRow extends CallingTenantRow {
  session_id: string;
  user_id: string;
  role: Role;
}

type FoundSession = { row: SessionRow | undefined } | { error: unknown };

export interface UserAuthenticator {
  /** Reads the user of an access token. Throws unauthenticated. */
  byAccessToken: (accessToken: string) => Promise<TenantCaller>;
  /** Reads the user of the cookie of a page. Throws unauthenticated. */
  byPageCookie: (cookie: string) => Promise<TenantCaller>;
  /** Whether this deployment has signed the access token and it has not ended; its session may have. Asks no database. */
  isOwnToken: (accessToken: string) => Promise<boolean>;
  /** Like `isOwnToken`, for the cookie of a page. */
  isOwnCookie: (cookie: string) => Promise<boolean>;
}

/**
 * Makes the authenticator of the users of a process. The session and its user are read for each request, so the end of
 * either takes effect with the next one; requests that arrive together share one statement. It throws unauthenticated,
 * tenant_suspended.
 */
export function userAuthenticator(db: Pick<Database, 'pool' | 'vault'>): UserAuthenticator {
  const find = naturalBatch<string, FoundSession>({
    maxSize: 256,
    concurrency: 2,
    gather: true,
    run: async (ids) => await findAll(db.pool, ids),
  });
  const callerOf = async (claims: SessionClaims | null) => {
    if (!claims) throw unauthenticated();
    const found = await find(claims.sessionId);
    if ('error' in found) throw found.error;
    if (found.row?.user_id !== claims.userId) throw unauthenticated();
    return toCaller(found.row);
  };
  const { accessTokens, pageCookies } = db.vault;
  return {
    byAccessToken: async (accessToken) => await callerOf(await accessTokens.read(accessToken, new Date())),
    byPageCookie: async (cookie) => await callerOf(await pageCookies.read(cookie, new Date())),
    isOwnToken: async (accessToken) => (await accessTokens.read(accessToken, new Date())) !== null,
    isOwnCookie: async (cookie) => (await pageCookies.read(cookie, new Date())) !== null,
  };
}

/** A failing look-up fails for all sessions of the batch, so the error is given to each caller. */
async function findAll(db: Queryable, ids: string[]): Promise<FoundSession[]> {
  try {
    const { rows } = await db.query<SessionRow>({
      name: 'find-user-sessions',
      text: `select s.id as session_id, u.id as user_id, u.role, ${TENANT_COLUMNS}
             from user_sessions s join users u on u.id = s.user_id join tenants t on t.id = s.tenant_id
             where s.id = any($1::uuid[]) and s.ended_at is null and u.disabled_at is null
               and coalesce(u.expires_at > now(), true)`,
      values: [ids],
    });
    const byId = new Map(rows.map((row) => [row.session_id, row]));
    return ids.map((id) => ({ row: byId.get(id) }));
  } catch (error) {
    return ids.map(() => ({ error }));
  }
}

function toCaller(row: SessionRow): TenantCaller {
  return {
    kind: 'TENANT',
    tenantId: row.tenant_id,
    actor: { kind: 'USER', id: row.user_id },
    sessionId: row.session_id,
    role: row.role,
    tenant: callingTenant(row),
  };
}

function unauthenticated(): DomainError {
  return new DomainError(
    'unauthenticated',
    'A valid access token or cookie is required: sign in, or refresh the token.',
  );
}
