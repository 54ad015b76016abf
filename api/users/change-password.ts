import { changePassword } from '../../db/users/change-password.ts';
import { countTry, triesOf, type TryLimit } from '../../db/users/counted-tries.ts';
import { getUser } from '../../db/users/get-user.ts';
import { ChangePasswordBody, User, viewUser } from '../../domain/users/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireStrongPassword } from '../auth/require-strong-password.ts';
import { requireCurrentPassword, requireSamePassword } from './require-current-password.ts';
import { requireUser } from './require-user.ts';

/** Judging a password takes some milliseconds, in which the process does nothing else. */
const NEW_PASSWORDS: TryLimit = {
  purpose: 'new-passwords-of-user',
  max: 20,
  seconds: 3_600,
  refusal: 'Too many new passwords were given in this hour.',
};

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
    'Needs the current password; tries count as sign-ins do. A user gives 20 new passwords an hour. Every other session of the user and every link of a mail ends, this session goes on.',
  body: ChangePasswordBody,
  example: {
    body: { currentPassword: 'seven quiet otters juggle', password: 'nine loud walruses whistle' },
  },
  responses: { 200: { description: 'Changed.', schema: User } },
  errors: ['rate_limited'],
  async handle({ body, caller, address, commit, log }, deps) {
    const { db, passwords } = deps;
    const now = new Date();
    const userId = requireUser(caller);
    const user = await getUser(db, caller.tenantId, userId);
    const current = await requireCurrentPassword(deps, { user, password: body.currentPassword, address });
    await countTry(db.pool, triesOf(db, NEW_PASSWORDS, userId), now);
    const passwordHash = await passwords.inTurn(caller.tenantId, async () => {
      requireStrongPassword(body.password, [user.email, user.name, caller.tenant.name]);
      return await passwords.hash(body.password);
    });
    return await commit(async (tx) => {
      await requireSamePassword(tx, user, current);
      await changePassword(tx, { userId, passwordHash, sessionId: caller.sessionId ?? null, now });
      log.info({ audit: 'PASSWORD_CHANGED', ...loggedCaller(caller) }, 'a user changed their password');
      return { status: 200, body: viewUser({ ...user, updatedAt: now }) };
    });
  },
});
