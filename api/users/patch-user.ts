import { z } from 'zod';
import { changeUser } from '../../db/users/change-user.ts';
import { endProposalsOfUser } from '../../db/proposals/end-proposals.ts';
import { patchUser } from '../../domain/users/patch-user.ts';
import { PatchUserBody, User, viewUser } from '../../domain/users/schema.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const patchUserEndpoint = defineEndpoint({
  operationId: 'patchUser',
  method: 'PATCH',
  path: '/users/{id}',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  tag: 'Users',
  summary: 'Change a user',
  description:
    'Name, role, end of access, and whether the user is disabled; a second factor that was lost is removed. It counts from the next request of the user on. ' +
    'What a user who is disabled or gets another role has proposed is over. Users are never deleted, since what they decided names them.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchUserBody,
  example: { body: { role: 'OBSERVER' } },
  responses: { 200: { description: 'The user after the change.', schema: User } },
  errors: [],
  async handle({ params: { id }, body, caller, commit, log }, { db }) {
    const now = new Date();
    const { tenantId } = caller;
    let losesRights = false;
    const decide = (user: UserRecord) => {
      const patched = patchUser(user, body, now);
      losesRights = patched.disabledAt !== null || patched.role !== user.role;
      return patched;
    };
    await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      const user = await changeUser(db, tx, { tenantId, id, decide });
      if (losesRights) await endProposalsOfUser(tx, { tenantId, userId: id, now });
      const { role, disabledAt } = user;
      log.info(
        {
          audit: 'USER_CHANGED',
          ...loggedCaller(caller),
          changedUserId: id,
          role,
          disabled: disabledAt !== null,
        },
        'a user was changed',
      );
      return { status: 200, body: viewUser(user) };
    });
  },
});
