import type { z } from 'zod';
import { findUserByEmail } from '../../db/users/find-user.ts';
import { inTransaction } from '../../db/postgres.ts';
import { countTry, forgetTries } from '../../db/users/counted-tries.ts';
import { DomainError } from '../../domain/errors.ts';
import { mayComeIn } from '../../domain/users/user.ts';
import { SignedIn, SignInBody } from '../../domain/users/schema.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';
import { auditRefusedEntry, entryOfUser } from './audit-sign-in.ts';
import { requireCode } from './require-code.ts';
import { letIn } from './let-in.ts';
import { countSignIn, failuresOf } from './sign-in-limits.ts';

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
    'code, too; without it a right password is 401 `code_required`.',
  body: SignInBody,
  example: { body: { email: 'lena.frei@alpine.example', password: 'seven quiet otters juggle' } },
  responses: { 201: { description: 'Signed in.', schema: SignedIn } },
  errors: ['unauthenticated', 'code_required', 'rate_limited'],
  async handle({ body, address, requestId }, deps) {
    const { db, audit } = deps;
    const request = { operation: 'signIn', address, requestId };
    try {
      return { status: 201, body: await signIn(deps, body, request) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const user = (await findUserByEmail(db, body.email))?.user ?? null;
      await auditRefusedEntry(audit, { user, error, request });
      throw error;
    }
  },
});

/** The request of a sign-in, as the audit log names it. */
interface SignInRequest {
  operation: string;
  address: string;
  requestId: string;
}

async function signIn(
  { db, passwords, audit }: Deps,
  { email, password, code }: z.output<typeof SignInBody>,
  request: SignInRequest,
): Promise<SignedIn> {
  const attempt = { email, address: request.address };
  await countSignIn(db, attempt, new Date());
  return await passwords.inTurn(async () => {
    const now = new Date();
    const failures = failuresOf(db, attempt);
    await countTry(db.pool, failures, now);
    const found = await findUserByEmail(db, email);
    const isRight = await passwords.matches(password, found?.passwordHash ?? null);
    if (!found || !isRight || !mayComeIn(found.user, now)) throw refused();
    const signedIn = await inTransaction(db.pool, async (tx) => {
      const entered = await letIn(db, tx, { ...found, now });
      if (!entered) return null;
      await requireCode(db, tx, { user: found.user, code, now });
      await forgetTries(tx, failures);
      await audit.write(entryOfUser(found.user, { ...request, status: 201 }), tx);
      return entered;
    });
    if (!signedIn) throw refused();
    return signedIn;
  });
}

function refused(): DomainError {
  return new DomainError('unauthenticated', 'E-mail address and password do not belong together.');
}
