import type { MailContent, MailKind } from '../../domain/mails/mail.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';

/** Minutes before the sweep takes a mail up whose workflow is lost: longer than the longest wait between two attempts. */
const TURN_MINUTES = 20;

/** A mail that is to be sent, decrypted. */
export interface PendingMail {
  kind: MailKind;
  content: MailContent;
  /** Time after which no further attempt is made. */
  giveUpAt: Date;
}

interface PendingRow {
  tenant_id: string;
  kind: MailKind;
  content: Buffer;
  give_up_at: Date;
}

/** Counts an attempt and reads the mail; null if it waits no more. */
export async function beginAttempt({ pool, vault }: Database, id: string): Promise<PendingMail | null> {
  const { rows } = await pool.query<PendingRow>(
    `update mails set attempts = attempts + 1, wake_at = now() + interval '${TURN_MINUTES} minutes'
     where id = $1 and status = 'PENDING'
     returning tenant_id, kind, content, coalesce(give_up_at, created_at + interval '1 day') as give_up_at`,
    [id],
  );
  const row = rows[0];
  if (!row) return null;
  const keys = await vault.tenantKeys(row.tenant_id, [row.content]);
  const context = sealingContext.mail.content(row.tenant_id, id);
  const content = keys.open<MailContent>(context, row.content);
  return { kind: row.kind, content, giveUpAt: row.give_up_at };
}

export interface MailEnd {
  status: 'SENT' | 'FAILED' | 'KEPT';
  /** Why it failed, a code. */
  error?: string;
}

/**
 * Ends a mail. Its text, which may contain a link, goes with it unless it is kept for the mailbox page. False if it had ended
 * before.
 */
export async function endMail(db: Queryable, id: string, { status, error }: MailEnd): Promise<boolean> {
  const { rowCount } = await db.query(
    `update mails set status = $2, error = $3, wake_at = null, content = case when $2 = 'KEPT' then content end
     where id = $1 and status = 'PENDING'`,
    [id, status, error ?? null],
  );
  return rowCount === 1;
}
