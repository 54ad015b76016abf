import { countTry, requireTriesLeft } from '../../db/users/counted-tries.ts';
import { AddressTaken, insertUser } from '../../db/users/insert-user.ts';
import { makeLink } from '../../db/users/user-links.ts';
import { queueMail } from '../../db/mails/queue-mail.ts';
import { InviteUserBody, User, viewUser } from '../../domain/users/schema.ts';
import { invitationMail, requireMail } from '../auth/user-mails.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { newUser } from './new-user.ts';
import { takenAddresses } from './taken-addresses.ts';

export const inviteUserEndpoint = defineEndpoint({
  operationId: 'inviteUser',
  method: 'POST',
  path: '/users/invitations',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Users',
  summary: 'Invite a user',
  description:
    'Sends a link, by which the user sets a password within seven days. Later they ask for a new link by ' +
    '`POST /auth/password-reset`. Taken e-mail addresses are as in `POST /users`.',
  body: InviteUserBody,
  example: { body: { email: 'marco.bianchi@alpine.example', name: 'Marco Bianchi', role: 'COMPLIANCE' } },
  responses: { 201: { description: 'The user, who cannot sign in yet.', schema: User } },
  errors: ['conflict', 'rate_limited'],
  async handle({ body, caller, commit, log }, { db, settings }) {
    const now = new Date();
    requireMail(settings);
    const user = newUser(body, caller.tenantId, now);
    const { id: userId, tenantId, email } = user;
    const keys = await db.vault.tenantKeys(tenantId);
    const taken = takenAddresses(db, tenantId);
    const made = commit(async (tx) => {
      await requireTriesLeft(tx, taken, now);
      await insertUser(db, tx, { user, keys, passwordHash: null });
      const token = await makeLink(tx, { tenantId, userId, purpose: 'INVITATION', now });
      const content = invitationMail(settings, { to: email, tenantName: caller.tenant.name, token });
      const outbox = await queueMail(db, tx, { tenantId, kind: 'INVITATION', content, now });
      log.info(
        { audit: 'USER_INVITED', ...loggedCaller(caller), createdUserId: userId, role: user.role },
        'a user was invited',
      );
      return { status: 201, body: viewUser(user), outbox };
    });
    return await made.catch(async (error: unknown) => {
      if (error instanceof AddressTaken) await countTry(db.pool, taken, now);
      throw error;
    });
  },
});
