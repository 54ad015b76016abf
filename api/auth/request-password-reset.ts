import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { queueMail } from '../../db/mails/queue-mail.ts';
import { inTransaction } from '../../db/postgres.ts';
import { countTry, triesOf, type TryLimit } from '../../db/users/counted-tries.ts';
import { findUserByEmail } from '../../db/users/find-user.ts';
import { isKnownAddress, NOBODY } from '../../db/users/note-address.ts';
import { makeLink } from '../../db/users/user-links.ts';
import { PasswordResetBody } from '../../domain/users/schema.ts';
import { mayComeIn } from '../../domain/users/user.ts';
import { defineEndpoint } from '../endpoint.ts';
import { entryAboutUser } from './audit-sign-in.ts';
import { pairOf } from './sign-in-limits.ts';
import { requireMail, resetMail } from './user-mails.ts';

const HOUR_SECONDS = 3_600;
const BY_ADDRESS: TryLimit = {
  purpose: 'resets-of-address',
  max: 20,
  seconds: HOUR_SECONDS,
  refusal: 'Too many new passwords were asked for from this address in this hour.',
};
/** By address, too: who knows no more than the e-mail address of somebody else keeps no mail back that they ask for. */
const BY_PAIR: TryLimit = {
  purpose: 'resets-of-pair',
  max: 3,
  seconds: HOUR_SECONDS,
  refusal:
    'Too many new passwords were asked for in this hour. The link in the latest mail counts for an hour.',
};
/**
 * From all addresses, so that nobody fills the mailbox of somebody else. Not from one where the user has signed in before: a
 * stranger, who may have many, uses up those of strangers alone.
 */
const BY_ACCOUNT: TryLimit = {
  purpose: 'resets-of-account',
  max: 12,
  seconds: HOUR_SECONDS,
  refusal: BY_PAIR.refusal,
};

/** Counts what is asked for where no mail is sent, to write as much as one takes; it refuses nothing. */
const IN_VAIN: TryLimit = { purpose: 'resets-in-vain', max: 1_000_000, seconds: HOUR_SECONDS, refusal: '' };
/** The statements of a link and its mail, besides one that writes. */
const STATEMENTS = 4;

/**
 * Every answer takes at least so long, so that its time does not tell whether somebody has the address. Beyond it, where
 * connections are waited for, an answer in vain takes as many of them and as many statements as one with a mail.
 */
const ANSWER_MS = 150;

const ResetRequested = z.strictObject({ message: z.string() }).meta({ id: 'ResetRequested' });

export const requestPasswordResetEndpoint = defineEndpoint({
  operationId: 'requestPasswordReset',
  method: 'POST',
  path: '/auth/password-reset',
  auth: 'NONE',
  audit: 'OWN',
  limit: 'ANONYMOUS',
  tag: 'Users',
  summary: 'Ask for a new password',
  description:
    'Sends a link to the e-mail address if a user has it; the answer is the same if nobody does. An account takes three ' +
    'requests an hour from one address of callers and 12 from all where its user has not signed in before, an address of callers 20. The link counts once, within an hour, and ends the ones before it.',
  body: PasswordResetBody,
  example: { body: { email: 'lena.frei@alpine.example' } },
  responses: { 202: { description: 'Asked for.', schema: ResetRequested } },
  errors: ['conflict', 'rate_limited'],
  async handle({ body: { email }, address, requestId }, { db, audit, settings, notifyWorkflows }) {
    const now = new Date();
    requireMail(settings);
    await countTry(db.pool, triesOf(db, BY_ADDRESS, address), now);
    await countTry(db.pool, triesOf(db, BY_PAIR, pairOf({ email, address })), now);
    const earliest = delay(ANSWER_MS);
    const found = await findUserByEmail(db, email);
    const isKnown = await isKnownAddress(db, { userId: found?.user.id ?? NOBODY, address });
    if (!isKnown) await countTry(db.pool, triesOf(db, BY_ACCOUNT, email), now);
    if (found && mayComeIn(found.user, now)) {
      const { id: userId, tenantId } = found.user;
      const request = { operation: 'requestPasswordReset', status: 202, address, requestId };
      const outbox = await inTransaction(db.pool, async (tx) => {
        const token = await makeLink(tx, { tenantId, userId, purpose: 'PASSWORD_RESET', now });
        await audit.write(entryAboutUser(found.user, request), tx);
        const content = resetMail(settings, { to: email, token });
        return await queueMail(db, tx, { tenantId, kind: 'PASSWORD_RESET', content, now });
      });
      notifyWorkflows(outbox);
    } else {
      await inTransaction(db.pool, async (tx) => {
        for (let n = 0; n < STATEMENTS; n += 1) await tx.query('select 1');
        await countTry(tx, triesOf(db, IN_VAIN, email), now);
      });
    }
    await earliest;
    return { status: 202, body: { message: 'If a user has this address, a mail is on its way.' } };
  },
});
