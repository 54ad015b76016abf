import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { inTransaction } from '../../db/postgres.ts';
import { requireActive } from '../../db/tenants/require-active.ts';
import { getUser } from '../../db/users/get-user.ts';
import { countTry, forgetTries, triesOf, type TryLimit } from '../../db/users/counted-tries.ts';
import { changePassword } from '../../db/users/change-password.ts';
import { noteProven } from '../../db/users/proven-users.ts';
import { findLink, useLink } from '../../db/users/user-links.ts';
import type { AuditDraft } from '../../domain/audit/entry.ts';
import { DomainError } from '../../domain/errors.ts';
import { SetPasswordBody, SignedIn } from '../../domain/users/schema.ts';
import { mayComeIn, type UserRecord } from '../../domain/users/user.ts';
import { defineEndpoint } from '../endpoint.ts';
import { auditRefusedEntry, entryOfUser } from './audit-sign-in.ts';
import { requireStrongPassword } from './require-strong-password.ts';
import { letIn, tokensOf, type EnteredSession } from './let-in.ts';
import { requireCode } from './require-code.ts';

/** Limits tries, weak passwords included. */
const BY_LINK: TryLimit = {
  purpose: 'tries-of-link',
  max: 10,
  seconds: 86_400,
  refusal: 'This link was tried too often. Ask for a new one.',
};

/**
 * Limits wrong codes of a user: access to the mailbox, which gives any number of links, must not be enough to guess the second
 * factor. Apart from the codes of sign-ins, so that whoever has only the mailbox cannot lock the account.
 */
const CODES: TryLimit = {
  purpose: 'codes-by-link',
  max: 10,
  seconds: 86_400,
  locks: true,
  refusal: 'Too many wrong codes were sent with links. Wait, or ask an administrator.',
};

export const setPasswordEndpoint = defineEndpoint({
  operationId: 'setPassword',
  method: 'POST',
  path: '/auth/password',
  auth: 'NONE',
  audit: 'OWN',
  limit: 'ANONYMOUS',
  tag: 'Users',
  summary: 'Set a password by a link',
  description:
    'Takes the token of an invitation or of a password reset, the text behind `#` in its link, and signs the user in. It ' +
    'counts once; a password that is too weak leaves it as it is. Ends all other sessions of the user. Whoever has a second ' +
    'factor sends its code, too. A link takes ten tries, weak passwords included; ten wrong codes within a day, by whichever links, ' +
    'and the next is refused for a day.',
  body: SetPasswordBody,
  example: {
    body: { token: 'Zk3v0cXW1yJ8q2mB5nT7rL4pA6sD9fGhUeRiOtYwQxC', password: 'seven quiet otters juggle' },
  },
  responses: { 201: { description: 'Set, and signed in.', schema: SignedIn } },
  errors: ['unauthenticated', 'code_required', 'tenant_suspended', 'rate_limited'],
  async handle({ body, address, requestId, log }, deps) {
    const now = new Date();
    const user = await userOfLink(deps, body.token, now);
    const request = { operation: 'setPassword', address, requestId };
    const entry = entryOfUser(user, { ...request, status: 201 });
    const given = { ...body, user, address, now, entry };
    const entered = await setPassword(deps, given).catch(async (error: unknown) => {
      if (error instanceof DomainError) await auditRefusedEntry(deps.audit, { user, error, request });
      throw error;
    });
    deps.notifyWorkflows(entered.outbox);
    log.info(
      { audit: 'PASSWORD_SET', tenantId: user.tenantId, userId: user.id },
      'a user set their password by a link',
    );
    return { status: 201, body: await tokensOf(deps.db, entered, now) };
  },
});

interface NewPasswordByLink extends z.output<typeof SetPasswordBody> {
  user: UserRecord;
  /** IP address of the client. */
  address: string;
  now: Date;
  /** What the audit log has of it. */
  entry: AuditDraft;
}

async function setPassword(
  { db, passwords, audit }: Deps,
  { user, token, password, code, address, now, entry }: NewPasswordByLink,
): Promise<EnteredSession> {
  await requireActive(db.pool, user.tenantId);
  await countTry(db.pool, triesOf(db, BY_LINK, token), now);
  const codes = triesOf(db, CODES, user.id);
  // Outside of the transaction, which a wrong code rolls back.
  if (user.hasSecondFactor && code !== undefined) await countTry(db.pool, codes, now);
  const passwordHash = await passwords.inTurn(user.tenantId, async () => {
    requireStrongPassword(password, [user.email, user.name]);
    return await passwords.hash(password);
  });
  return await inTransaction(db.pool, async (tx) => {
    if (!(await useLink(tx, token, now))) throw refused();
    await requireCode(db, tx, { user, code, now });
    await forgetTries(tx, codes);
    await changePassword(tx, { userId: user.id, passwordHash, sessionId: null, now });
    await noteProven(tx, user.id, now);
    const entered = await letIn(db, tx, { user, passwordHash, address, now });
    if (!entered) throw refused();
    await audit.write(entry, tx);
    return entered;
  });
}

async function userOfLink({ db }: Deps, token: string, now: Date): Promise<UserRecord> {
  const link = await findLink(db.pool, token, now);
  const user = link && (await getUser(db, link.tenantId, link.userId));
  if (!user || !mayComeIn(user, now)) throw refused();
  return user;
}

function refused(): DomainError {
  return new DomainError('unauthenticated', 'This link does not count (any more). Ask for a new one.');
}
