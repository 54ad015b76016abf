import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/database.ts';
import { beginAttempt, endMail, type PendingMail } from '../../db/mails/pending-mail.ts';
import type { Mailer } from './mailer.ts';

export interface MailDeps {
  db: Database;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  now: () => Date;
}

const TRIED_MS = 24 * 3_600_000;

export interface MailStep {
  status: 'SENT' | 'FAILED' | 'KEPT' | 'NOTHING_WAITS';
  error?: string;
}

/** The activity of `mailDelivery`. */
export function mailActivities(deps: MailDeps) {
  return {
    /** Sends a mail that waits. Fails, to be tried again, while the server does not take it: for a day, unless it refuses. */
    async sendMail({ id }: { id: string }): Promise<MailStep> {
      const mail = await beginAttempt(deps.db, id);
      if (!mail) return { status: 'NOTHING_WAITS' };
      const step = await attempt(deps, id, mail);
      await endMail(deps.db.pool, id, step);
      return step;
    },
  };
}

type EndedMail = MailStep & { status: 'SENT' | 'FAILED' | 'KEPT' };

async function attempt({ mailer, now }: MailDeps, id: string, mail: PendingMail): Promise<EndedMail> {
  if (!mailer) return { status: 'KEPT' };
  const { createdAt, ...content } = mail;
  try {
    await mailer.send({ id, ...content });
    return { status: 'SENT' };
  } catch (error) {
    const code = refusalOf(error);
    if (code !== null) return { status: 'FAILED', error: `SMTP_${code}` };
    if (now().getTime() - createdAt.getTime() > TRIED_MS) return { status: 'FAILED', error: 'TIMED_OUT' };
    throw ApplicationFailure.retryable(
      `The mail server did not take the mail (${codesOf(error)}); it is tried again.`,
      'MAIL_NOT_SENT',
    );
  }
}

/** The code of a refusal that stays (5xx, RFC 5321); null if a later attempt may succeed. A refused sign-in is the operator's. */
function refusalOf(error: unknown): number | null {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  if (typeof responseCode !== 'number' || responseCode < 500) return null;
  return typeof command === 'string' && command.startsWith('AUTH') ? null : responseCode;
}

/** What went wrong, as codes: a text of the server may quote the address. */
function codesOf(error: unknown): string {
  const { code = 'no code', responseCode = 'no reply' } = error as { code?: string; responseCode?: number };
  return `${code}, ${responseCode}`;
}
