import { insertUser } from '../../db/users/insert-user.ts';
import { startSession } from '../../db/users/sessions.ts';
import { CreateUserBody, SignedIn, viewUser } from '../../domain/users/schema.ts';
import { ACCESS_SECONDS, accessTokenOf } from '../auth/access-token.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { newUser } from './new-user.ts';
import { requireStrongPassword } from '../auth/require-strong-password.ts';
import { makeUserInTurn } from './taken-addresses.ts';

export const createUserEndpoint = defineEndpoint({
  operationId: 'createUser',
  method: 'POST',
  path: '/users',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Users',
  summary: 'Create a user',
  description:
    'A person who acts for the tenant, signed in at once: the answer has their tokens. ' +
    'An e-mail address that somebody has, of this tenant or of another, is 409; after 20 of them in a day, every new user is 429.',
  body: CreateUserBody,
  example: {
    body: {
      email: 'lena.frei@alpine.example',
      password: 'seven quiet otters juggle',
      name: 'Lena Frei',
      role: 'COMPLIANCE',
    },
  },
  responses: { 201: { description: 'The new user.', schema: SignedIn } },
  errors: ['conflict', 'rate_limited'],
  async handle({ body, caller, commit, log }, { db, passwords }) {
    const now = new Date();
    const user = newUser(body, caller.tenantId, now);
    const passwordHash = await passwords.inTurn(caller.tenantId, async () => {
      requireStrongPassword(body.password, [user.email, user.name, caller.tenant.name]);
      return await passwords.hash(body.password);
    });
    const keys = await db.vault.tenantKeys(caller.tenantId);
    const makeUser = async () =>
      await commit(async (tx) => {
        await insertUser(db, tx, { user, keys, passwordHash });
        const session = await startSession(db, tx, { userId: user.id, tenantId: user.tenantId, now });
        const accessToken = await accessTokenOf(db, { userId: user.id, sessionId: session.id }, now);
        log.info(
          { audit: 'USER_CREATED', ...loggedCaller(caller), createdUserId: user.id, role: user.role },
          'a user was created',
        );
        const tokens = { accessToken, refreshToken: session.refreshToken, expiresIn: ACCESS_SECONDS };
        return { status: 201, body: { ...tokens, user: viewUser(user) } };
      });
    return await makeUserInTurn(db, caller.tenantId, makeUser);
  },
});
