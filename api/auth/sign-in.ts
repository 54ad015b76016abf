import { SignedIn, SignInBody } from '../../domain/users/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { enterByPassword } from './enter-by-password.ts';
import { tokensOf } from './let-in.ts';

export const signInEndpoint = defineEndpoint({
  operationId: 'signIn',
  method: 'POST',
  path: '/auth/signin',
  auth: 'NONE',
  audit: 'OWN',
  limit: 'ANONYMOUS',
  tag: 'Users',
  summary: 'Sign in',
  description:
    'Answers an access token for `Authorization: Bearer` on every endpoint that takes an API key, and a refresh token. ' +
    'An account takes five sign-ins a minute from one address, an address 60. After ten failures for an account from one address ' +
    'further tries are 429 for 15 minutes. All of it whether the account exists or not. Whoever has a second factor sends its ' +
    'code, too; without it a right password is 401 `code_required`. After ten wrong codes, from wherever, codes are 429 for 15 minutes.',
  body: SignInBody,
  example: { body: { email: 'lena.frei@alpine.example', password: 'seven quiet otters juggle' } },
  responses: { 201: { description: 'Signed in.', schema: SignedIn } },
  errors: ['unauthenticated', 'code_required', 'tenant_suspended', 'rate_limited'],
  async handle({ body, address, requestId }, deps) {
    const entered = await enterByPassword(deps, body, { operation: 'signIn', address, requestId });
    return { status: 201, body: await tokensOf(deps.db, entered, new Date()) };
  },
});
