import { SignInBody, User, viewUser } from '../../domain/users/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { pageCookie, requireOwnOrigin } from '../page-cookie.ts';
import { enterByPassword } from './enter-by-password.ts';

const COOKIE_SECONDS = 86_400;

export const startPageSessionEndpoint = defineEndpoint({
  operationId: 'startPageSession',
  method: 'POST',
  path: '/auth/session',
  auth: 'NONE',
  audit: 'OWN',
  limit: 'ANONYMOUS',
  tag: 'Users',
  summary: 'Sign in on a page',
  description:
    'For pages that this deployment serves. Takes what `POST /auth/signin` takes, with its limits, and sets a cookie that ' +
    'scripts cannot read, in the place of tokens. The cookie counts for 24 hours on every endpoint that takes an API key, and ' +
    'ends with its session. Requests with it that change something need the header `X-Waybill-Page`, and those that come from ' +
    'another site are 403. A cookie beside a key or a token is 401.',
  body: SignInBody,
  example: { body: { email: 'lena.frei@alpine.example', password: 'seven quiet otters juggle' } },
  responses: {
    201: {
      description: 'Signed in.',
      schema: User,
      headers: {
        'Set-Cookie': 'The session. Over TLS the name of the cookie has the prefix for hosts (RFC 6265bis).',
      },
    },
  },
  errors: ['unauthenticated', 'code_required', 'forbidden', 'tenant_suspended', 'rate_limited'],
  async handle({ body, address, requestId, header }, deps) {
    const { db, settings } = deps;
    requireOwnOrigin({ get: header }, settings);
    const { user, session } = await enterByPassword(deps, body, {
      operation: 'startPageSession',
      address,
      requestId,
    });
    const now = new Date();
    const expiresAt = new Date(now.getTime() + COOKIE_SECONDS * 1_000);
    const claims = { userId: user.id, sessionId: session.id };
    const cookie = await db.vault.pageCookies.make(claims, { now, expiresAt });
    return {
      status: 201,
      body: viewUser(user),
      headers: { 'Set-Cookie': pageCookie(settings, cookie, COOKIE_SECONDS) },
    };
  },
});
