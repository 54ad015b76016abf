import { countTry, triesOf, type TryLimit } from '../../db/users/counted-tries.ts';
import { freeAddress } from '../../db/users/free-address.ts';
import { insertUser } from '../../db/users/insert-user.ts';
import { makeLink } from '../../db/users/user-links.ts';
import { queueMail } from '../../db/mails/queue-mail.ts';
import { InviteUserBody, User, viewUser } from '../../domain/users/schema.ts';
import { invitationMail, requireMail } from '../auth/user-mails.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { newUser } from './new-user.ts';
import { makeUserInTurn } from './taken-addresses.ts';

/** The mails come from the operator's address, and go to whom the tenant likes. */
const INVITATIONS: TryLimit = {
  purpose: 'invitations-of-tenant',
  max: 200,
  seconds: 86_400,
  refusal: 'Too many users were invited today.',
};

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
    '`POST /auth/password-reset`. Taken e-mail addresses are as in `POST /users`; that of a user who has never set a password ' +
    'is free once the link has ended. A tenant sends 200 invitations in 24 hours.',
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
    const makeUser = async () =>
      await commit(async (tx) => {
        await countTry(tx, triesOf(db, INVITATIONS, tenantId), now);
        await freeAddress(db, tx, email, now);
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
    return await makeUserInTurn(db, tenantId, makeUser);
  },
});
