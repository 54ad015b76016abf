import { refreshSession } from '../../db/users/refresh-session.ts';
import { DomainError } from '../../domain/errors.ts';
import { SignedIn, viewUser } from '../../domain/users/schema.ts';
import { bearerToken } from '../bearer-token.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ACCESS_SECONDS, accessTokenOf } from './access-token.ts';

export const refreshEndpoint = defineEndpoint({
  operationId: 'refreshTokens',
  method: 'GET',
  path: '/auth/refresh',
  auth: 'NONE',
  refusesHead: true,
  limit: 'ANONYMOUS',
  tag: 'Users',
  summary: 'Exchange a refresh token',
  description:
    'Send the refresh token as `Authorization: Bearer`. It counts once. For ten seconds a repeat gets the same pair again; ' +
    'after that, whoever brings an old token ends the session with all its tokens, and everybody has to sign in again.',
  responses: { 200: { description: 'The next tokens.', schema: SignedIn } },
  errors: ['unauthenticated', 'tenant_suspended', 'rate_limited'],
  async handle({ header }, { db }) {
    const token = bearerToken(header('Authorization'));
    if (!token) throw new DomainError('unauthenticated', 'Send the refresh token as Authorization: Bearer.');
    const now = new Date();
    const { user, tokens } = await refreshSession(db, {
      token,
      now,
      makeAccessToken: async ({ id }, sessionId) => await accessTokenOf(db, { userId: id, sessionId }, now),
    });
    return { status: 200, body: { ...tokens, expiresIn: ACCESS_SECONDS, user: viewUser(user) } };
  },
});
