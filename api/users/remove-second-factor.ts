import { removeFactor } from '../../db/users/second-factor.ts';
import { getUser } from '../../db/users/get-user.ts';
import { PasswordBody, User, viewUser } from '../../domain/users/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireCurrentPassword, requireSamePassword } from './require-current-password.ts';
import { requireUser } from './require-user.ts';

export const removeSecondFactorEndpoint = defineEndpoint({
  operationId: 'removeSecondFactor',
  method: 'POST',
  path: '/users/me/second-factor/remove',
  auth: 'TENANT',
  permission: 'READ',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Users',
  summary: 'Remove the second factor',
  description:
    'Signing in needs the password alone from then on. Whoever has lost app and recovery codes asks an administrator: ' +
    '`PATCH /users/{id}` with `hasSecondFactor: false`.',
  body: PasswordBody,
  example: { body: { currentPassword: 'nine loud walruses whistle' } },
  responses: { 200: { description: 'Removed, or there was none.', schema: User } },
  errors: ['rate_limited'],
  async handle({ body, caller, address, commit, log }, deps) {
    const user = await getUser(deps.db, caller.tenantId, requireUser(caller));
    const passwordHash = await requireCurrentPassword(deps, {
      user,
      password: body.currentPassword,
      address,
    });
    return await commit(async (tx) => {
      await requireSamePassword(tx, user, passwordHash);
      await removeFactor(tx, user);
      log.info({ audit: 'SECOND_FACTOR_OFF', ...loggedCaller(caller) }, 'a user removed their second factor');
      return { status: 200, body: viewUser({ ...user, hasSecondFactor: false }) };
    });
  },
});
