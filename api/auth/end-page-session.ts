import { endSession, findSessionUser } from '../../db/users/sessions.ts';
import { defineEndpoint } from '../endpoint.ts';
import { pageCookie, readPageCookie, requireOwnOrigin } from '../page-cookie.ts';
import { entryOfUser } from './audit-sign-in.ts';
import { LoggedOut } from './log-out.ts';

export const endPageSessionEndpoint = defineEndpoint({
  operationId: 'endPageSession',
  method: 'DELETE',
  path: '/auth/session',
  auth: 'NONE',
  audit: 'OWN',
  limit: 'ANONYMOUS',
  tag: 'Users',
  summary: 'Sign out on a page',
  description:
    'Ends the session of the cookie, if there is one, and removes the cookie; a repeat is 200 too.',
  responses: {
    200: {
      description: 'No session of the cookie is left.',
      schema: LoggedOut,
      headers: { 'Set-Cookie': 'Removes the cookie.' },
    },
  },
  errors: ['forbidden', 'rate_limited'],
  async handle({ header, address, requestId }, { db, settings, audit, writeInTurn }) {
    requireOwnOrigin({ get: header }, settings);
    const now = new Date();
    const cookie = readPageCookie(settings, header('Cookie'));
    const claims = cookie === null ? null : await db.vault.pageCookies.read(cookie, now);
    const user = claims && (await findSessionUser(db.pool, claims.sessionId));
    if (claims) await writeInTurn(address, async () => await endSession(db.pool, claims.sessionId, now));
    const request = { operation: 'endPageSession', status: 200, address, requestId };
    if (user) await audit.write(entryOfUser(user, request));
    return {
      status: 200,
      body: { message: 'Signed out.' },
      headers: { 'Set-Cookie': pageCookie(settings, '', 0) },
    };
  },
});
