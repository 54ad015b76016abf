import { getUser } from '../../db/users/get-user.ts';
import {
  lockFactor,
  newRecoveryCodes,
  recoveryHash,
  storeFactor,
  withCodeTaken,
} from '../../db/users/second-factor.ts';
import { countTry, forgetTries } from '../../db/users/counted-tries.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import { CodeBody, RecoveryCodes } from '../../domain/users/schema.ts';
import { failuresOf } from '../auth/sign-in-limits.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireUser } from './require-user.ts';

export const confirmSecondFactorEndpoint = defineEndpoint({
  operationId: 'confirmSecondFactor',
  method: 'POST',
  path: '/users/me/second-factor/confirm',
  auth: 'TENANT',
  permission: 'READ',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Users',
  summary: 'Switch the second factor on',
  description:
    'Takes the first code of the authenticator app. From then on signing in needs a code, too. The answer has ten recovery ' +
    'codes, which are shown once; each takes the place of a code once.',
  body: CodeBody,
  example: { body: { code: '123456' } },
  responses: { 200: { description: 'Switched on.', schema: RecoveryCodes } },
  errors: ['conflict', 'rate_limited'],
  async handle({ body, caller, address, commit, log }, { db }) {
    const now = new Date();
    const user = await getUser(db, caller.tenantId, requireUser(caller));
    const failures = failuresOf(db, { email: user.email, address });
    await countTry(db.pool, failures, now);
    const keys = await db.vault.tenantKeys(user.tenantId);
    return await commit(async (tx) => {
      const locked = await lockFactor(db, tx, user);
      if (!locked || locked.since) throw notWaiting();
      const taken = withCodeTaken(locked, body.code, now);
      if (!taken) throw invalidField('/code', 'wrong', 'This is not the current code of the app.');
      const recoveryCodes = newRecoveryCodes();
      const factor = { ...taken.factor, recoveryHashes: recoveryCodes.map(recoveryHash) };
      await storeFactor(tx, user, { ...taken, factor, since: now }, keys);
      await forgetTries(tx, failures);
      log.info({ audit: 'SECOND_FACTOR_ON', ...loggedCaller(caller) }, 'a user has a second factor');
      return { status: 200, body: { recoveryCodes } };
    });
  },
});

function notWaiting(): DomainError {
  return new DomainError('conflict', 'No second factor waits for its first code. Set one up first.');
}
