import type pg from 'pg';
import { endOfWorkingDays } from '../../domain/claims/working-days.ts';
import { answerReminderMail } from '../../domain/mails/portal-mails.ts';
import { ANSWER_REMINDER_DAYS } from '../../domain/portal/link.ts';
import { markReminded } from '../../domain/transactions/lifecycle/mail-outcomes.ts';
import { planOf } from '../../domain/transactions/lifecycle/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { keepAnswerReminder, lastOpening, lockCurrentLink, type StoredLink } from '../portal/portal-links.ts';
import { getTenantSettings } from '../tenants/get-tenant-settings.ts';
import { changeInTransaction, lockPairOf, untilPaired } from '../transactions/change-transaction.ts';
import { lockTransaction } from '../transactions/find-transaction.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { queueReminder } from './link-mails.ts';

export interface OpenedMessage {
  tenantId: string;
  id: string;
  /** The address of the portal, to which tokens are added. */
  portalUrl: string;
  now: Date;
}

export interface AnswerReminder {
  outbox: OutboxEntry[];
  /** When the reminder will be due; null if there is none to come. */
  dueAt: Date | null;
}

const NO_REMINDER: AnswerReminder = { outbox: [], dueAt: null };

/**
 * Reminds whoever has opened a message by e-mail that it still waits for an answer: once for each message, some working days
 * of the tenant after the last opening. However often it is called, one mail is queued.
 */
export async function remindToAnswer(db: Database, opened: OpenedMessage): Promise<AnswerReminder> {
  const { tenantId, id, now } = opened;
  await db.vault.tenantKeys(tenantId);
  const { timeZone } = await getTenantSettings(db.pool, tenantId);
  return await untilPaired(db, async (tx) => {
    await lockPairOf(tx, tenantId, id);
    const open = await lockTransaction(db, tx, tenantId, id);
    if (!open || !awaitsAnswer(open.record, now)) return NO_REMINDER;
    const openedAt = await lastOpening(tx, { tenantId, id });
    const subject = { kind: 'TRANSACTION', id } as const;
    const link = openedAt && (await lockCurrentLink(db, tx, { tenantId, subject }));
    if (!openedAt || !link) return NO_REMINDER;
    const dueAt = endOfWorkingDays(openedAt, ANSWER_REMINDER_DAYS, timeZone);
    if (dueAt > now) return { outbox: [], dueAt };
    return await remind(db, tx, { opened, link, key: open.key });
  });
}

function awaitsAnswer(record: TransactionRecord, now: Date): boolean {
  const plan = planOf(record, now);
  return plan.step === 'WAIT' && plan.waitingFor === 'COUNTERPARTY_ANSWER';
}

interface ReminderInput {
  opened: OpenedMessage;
  link: StoredLink;
  key: RecordKey;
}

async function remind(
  db: Database,
  tx: pg.PoolClient,
  { opened: { tenantId, id, portalUrl, now }, link, key }: ReminderInput,
): Promise<AnswerReminder | undefined> {
  const reminder = { link, key, portalUrl, contentOf: answerReminderMail, now };
  const { outbox, ...sent } = await queueReminder(db, tx, reminder);
  await keepAnswerReminder(tx, { tenantId, id }, now);
  const decide = (own: TransactionRecord) => markReminded(own, { ...sent, now });
  const changed = await changeInTransaction(db, tx, { tenantId, id, now, decide });
  return changed && { outbox: [...changed.outbox, ...outbox], dueAt: null };
}
