import { lockFactor, newSecret, storeFactor } from '../../db/users/second-factor.ts';
import { getUser } from '../../db/users/get-user.ts';
import { DomainError } from '../../domain/errors.ts';
import { setupUri } from '../../domain/users/second-factor.ts';
import { PasswordBody, SecondFactorSetup } from '../../domain/users/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireCurrentPassword, requireSamePassword } from './require-current-password.ts';
import { requireUser } from './require-user.ts';

export const setUpSecondFactorEndpoint = defineEndpoint({
  operationId: 'setUpSecondFactor',
  method: 'POST',
  path: '/users/me/second-factor',
  auth: 'TENANT',
  permission: 'READ',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Users',
  summary: 'Set up a second factor',
  description:
    'Makes the secret for an authenticator app (TOTP, RFC 6238). Nothing changes until a first code is confirmed; a repeat ' +
    'before that makes another secret. Tries of the password count as sign-ins do.',
  body: PasswordBody,
  example: { body: { currentPassword: 'nine loud walruses whistle' } },
  responses: { 201: { description: 'The secret; it is shown once.', schema: SecondFactorSetup } },
  errors: ['conflict', 'rate_limited'],
  async handle({ body, caller, address, commit }, deps) {
    const { db } = deps;
    const user = await getUser(db, caller.tenantId, requireUser(caller));
    const passwordHash = await requireCurrentPassword(deps, {
      user,
      password: body.currentPassword,
      address,
    });
    const secret = newSecret();
    const keys = await db.vault.tenantKeys(user.tenantId);
    return await commit(async (tx) => {
      await requireSamePassword(tx, user, passwordHash);
      if ((await lockFactor(db, tx, user))?.since) throw alreadyOn();
      await storeFactor(tx, user, { factor: { secret, recoveryHashes: [] }, since: null, step: null }, keys);
      return { status: 201, body: { secret, uri: setupUri(secret, user.email) } };
    });
  },
});

function alreadyOn(): DomainError {
  return new DomainError('conflict', 'There is a second factor already. Remove it first.');
}
