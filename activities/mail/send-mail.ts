import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/database.ts';
import { settleLinkMail } from '../../db/lifecycle/settle-link-mail.ts';
import { settleReminderMail } from '../../db/lifecycle/settle-reminder-mail.ts';
import { beginAttempt, endMail, type PendingMail } from '../../db/mails/pending-mail.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { MailKind } from '../../domain/mails/mail.ts';
import type { Mailer } from './mailer.ts';

export interface MailDeps {
  db: Database;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  now: () => Date;
  /** Notifies the workflows of changed rows; the relay delivers what fails here. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  /** Tells the operator of a mail that nobody gets. */
  reportUnsent: (mail: UnsentMail) => void;
}

/** A mail that was given up, without what stands in it. */
export interface UnsentMail {
  id: string;
  kind: MailKind;
  /** Why, as stored with the mail. */
  code: string;
}

export interface MailStep {
  status: 'SENT' | 'FAILED' | 'KEPT' | 'NOTHING_WAITS';
  error?: string;
}

/** The activity of `mailDelivery`. */
export function mailActivities(deps: MailDeps) {
  return {
    /**
     * Sends a mail that waits. Fails, to be tried again, while the server does not take it: for a day, or until its link
     * ends, unless the server refuses the recipient or the text.
     */
    async sendMail({ id }: { id: string }): Promise<MailStep> {
      const mail = await beginAttempt(deps.db, id);
      if (!mail) return { status: 'NOTHING_WAITS' };
      const step = await attempt(deps, id, mail);
      await end(deps, id, mail.kind, step);
      if (step.status === 'FAILED') deps.reportUnsent({ id, kind: mail.kind, code: step.error });
      return step;
    },
  };
}

/** A message waits for what becomes of the mail with its link; a new link that is refused is an event of it. */
const SETTLED: Partial<Record<MailKind, typeof settleLinkMail>> = {
  PORTAL_LINK: settleLinkMail,
  PORTAL_REMINDER: settleReminderMail,
};

async function end({ db, now, notifyWorkflows }: MailDeps, id: string, kind: MailKind, step: EndedMail) {
  const settle = SETTLED[kind];
  if (!settle) return void (await endMail(db.pool, id, step));
  notifyWorkflows(await settle(db, { mailId: id, end: step, now: now() }));
}

type EndedMail = { status: 'SENT' | 'KEPT' } | { status: 'FAILED'; error: string };

async function attempt({ mailer, now }: MailDeps, id: string, mail: PendingMail): Promise<EndedMail> {
  if (!mailer) return { status: 'KEPT' };
  try {
    await mailer.send({ id, ...mail.content });
    return { status: 'SENT' };
  } catch (error) {
    const code = refusalOf(error);
    if (code !== null) return { status: 'FAILED', error: `SMTP_${code}` };
    if (now() > mail.giveUpAt) return { status: 'FAILED', error: 'TIMED_OUT' };
    throw ApplicationFailure.retryable(
      `The mail server did not take the mail (${codesOf(error)}); it is tried again.`,
      'MAIL_NOT_SENT',
    );
  }
}

/** The commands whose refusal is about this mail: its recipient and its text. The operator can mend the others' causes. */
const OF_THE_MAIL: readonly unknown[] = ['RCPT TO', 'DATA'];

/** The code of a refusal that stays (5xx, RFC 5321); null if a later attempt may succeed. */
function refusalOf(error: unknown): number | null {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  if (typeof responseCode !== 'number' || responseCode < 500) return null;
  return OF_THE_MAIL.includes(command) ? responseCode : null;
}

/** What went wrong, as codes: a text of the server may quote the address. */
function codesOf(error: unknown): string {
  const { code = 'no code', responseCode = 'no reply' } = error as { code?: string; responseCode?: number };
  return `${code}, ${responseCode}`;
}
