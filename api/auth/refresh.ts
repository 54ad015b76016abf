import { refreshSession } from '../../db/users/refresh-session.ts';
import { findSessionUser, sessionOfToken } from '../../db/users/sessions.ts';
import { DomainError } from '../../domain/errors.ts';
import { SignedIn, viewUser } from '../../domain/users/schema.ts';
import { bearerToken } from '../bearer-token.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';
import { auditRefusedEntry, entryOfUser } from './audit-sign-in.ts';
import { ACCESS_SECONDS, accessTokenOf } from './access-token.ts';

export const refreshEndpoint = defineEndpoint({
  operationId: 'refreshTokens',
  method: 'GET',
  path: '/auth/refresh',
  auth: 'NONE',
  audit: 'OWN',
  refusesHead: true,
  limit: 'ANONYMOUS',
  tag: 'Users',
  summary: 'Exchange a refresh token',
  description:
    'Send the refresh token as `Authorization: Bearer`. It counts once. For ten seconds a repeat gets the same pair again; ' +
    'after that, whoever brings an old token ends the session with all its tokens, and everybody has to sign in again.',
  responses: { 200: { description: 'The next tokens.', schema: SignedIn } },
  errors: ['unauthenticated', 'tenant_suspended', 'rate_limited'],
  async handle({ header, address, requestId }, { db, audit, writeInTurn }) {
    const token = bearerToken(header('Authorization'));
    if (!token) throw new DomainError('unauthenticated', 'Send the refresh token as Authorization: Bearer.');
    const request = { operation: 'refreshTokens', address, requestId };
    let now = new Date();
    const refresh = async () => {
      // The ten seconds for a repeat begin with the exchange, and not while it waits for its turn.
      now = new Date();
      const makeAccessToken = async ({ id }: { id: string }, sessionId: string) =>
        await accessTokenOf(db, { userId: id, sessionId }, now);
      return await refreshSession(db, { token, now, makeAccessToken });
    };
    const { user, tokens } = await writeInTurn(address, refresh).catch(async (error: unknown) => {
      if (error instanceof DomainError) await auditRefusal({ db, audit }, { token, now, error, request });
      throw error;
    });
    await audit.write(entryOfUser(user, { ...request, status: 200 }));
    return { status: 200, body: { ...tokens, expiresIn: ACCESS_SECONDS, user: viewUser(user) } };
  },
});

interface RefusedRefresh {
  token: string;
  now: Date;
  error: DomainError;
  request: { operation: string; address: string; requestId: string };
}

/** An old token ends its session, which the audit log records. Tries with an ended session are only counted. */
async function auditRefusal(
  { db, audit }: Pick<Deps, 'db' | 'audit'>,
  { token, now, error, request }: RefusedRefresh,
): Promise<void> {
  const user = await findSessionUser(db.pool, sessionOfToken(token));
  if (user?.endedAt?.getTime() === now.getTime()) await auditRefusedEntry(audit, { user, error, request });
  else if (user) {
    const { operation } = request;
    audit.count({ tenantId: user.tenantId, recordId: user.id, apiKeyId: null, operation, code: error.code });
  }
}
