import { changePassword, findPasswordHash } from '../../db/users/change-password.ts';
import { getUser } from '../../db/users/get-user.ts';
import { countTry, forgetTries } from '../../db/users/counted-tries.ts';
import { invalidField } from '../../domain/errors.ts';
import { ChangePasswordBody, User, viewUser } from '../../domain/users/schema.ts';
import { failuresOf } from '../auth/sign-in-limits.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireStrongPassword } from '../auth/require-strong-password.ts';
import { requireUser } from './require-user.ts';

export const changePasswordEndpoint = defineEndpoint({
  operationId: 'changePassword',
  method: 'POST',
  path: '/users/me/password',
  auth: 'TENANT',
  permission: 'READ',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Users',
  summary: 'Change the own password',
  description:
    'Needs the current password; tries count as sign-ins do. Every other session of the user ends, this one goes on.',
  body: ChangePasswordBody,
  example: {
    body: { currentPassword: 'seven quiet otters juggle', password: 'nine loud walruses whistle' },
  },
  responses: { 200: { description: 'Changed.', schema: User } },
  errors: ['rate_limited'],
  async handle({ body, caller, address, commit, log }, { db, passwords }) {
    const now = new Date();
    const userId = requireUser(caller);
    const user = await getUser(db, caller.tenantId, userId);
    requireStrongPassword(body.password, [user.email, user.name, caller.tenant.name]);
    const failures = failuresOf(db, { email: user.email, address });
    const passwordHash = await passwords.inTurn(async () => {
      await countTry(db.pool, failures, now);
      const stored = await findPasswordHash(db, caller.tenantId, userId);
      if (await passwords.matches(body.currentPassword, stored)) return await passwords.hash(body.password);
      throw invalidField('/currentPassword', 'wrong', 'This is not the current password.');
    });
    return await commit(async (tx) => {
      await changePassword(tx, { userId, passwordHash, sessionId: caller.sessionId ?? null, now });
      await forgetTries(tx, failures);
      log.info({ audit: 'PASSWORD_CHANGED', ...loggedCaller(caller) }, 'a user changed their password');
      return { status: 200, body: viewUser({ ...user, updatedAt: now }) };
    });
  },
});
