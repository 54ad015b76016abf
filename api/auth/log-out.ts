import { z } from 'zod';
import { endSession, findSessionUser } from '../../db/users/sessions.ts';
import { DomainError } from '../../domain/errors.ts';
import { bearerToken } from '../bearer-token.ts';
import { defineEndpoint } from '../endpoint.ts';
import { entryOfUser } from './audit-sign-in.ts';

export const LoggedOut = z.strictObject({ message: z.string() }).meta({ id: 'LoggedOut' });

export const logOutEndpoint = defineEndpoint({
  operationId: 'logOut',
  method: 'GET',
  path: '/auth/logout',
  auth: 'NONE',
  audit: 'OWN',
  refusesHead: true,
  limit: 'ANONYMOUS',
  tag: 'Users',
  summary: 'Sign out',
  description:
    'Send the access token as `Authorization: Bearer`. Ends the session with all its tokens; a repeat is 200 too.',
  responses: { 200: { description: 'The session has ended.', schema: LoggedOut } },
  errors: ['unauthenticated', 'rate_limited'],
  async handle({ header, address, requestId }, { db, audit, writeInTurn }) {
    const now = new Date();
    const token = bearerToken(header('Authorization'));
    const claims = token ? await db.vault.accessTokens.read(token, now) : null;
    if (!claims) throw new DomainError('unauthenticated', 'Send the access token as Authorization: Bearer.');
    const user = await findSessionUser(db.pool, claims.sessionId);
    await writeInTurn(address, async () => await endSession(db.pool, claims.sessionId, now));
    const request = { operation: 'logOut', status: 200, address, requestId };
    if (user) await audit.write(entryOfUser(user, request));
    return { status: 200, body: { message: 'Signed out.' } };
  },
});
