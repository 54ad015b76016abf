import type pg from 'pg';
import type { PairChange } from '../../domain/transactions/change.ts';
import { markMailed, markMailRefused } from '../../domain/transactions/lifecycle/mail-outcomes.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database, OpenNetworks } from '../database.ts';
import { endMail, type MailEnd } from '../mails/pending-mail.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import {
  endLink,
  findLinkOfMail,
  lockCurrentLink,
  setSent,
  type StoredLink,
} from '../portal/portal-links.ts';
import { changeInTransaction } from '../transactions/change-transaction.ts';
import { lockTransaction } from '../transactions/find-transaction.ts';
import { resolveRoute } from './resolve-counterparty.ts';
import { settleClaimMail, type EndedLinkMail } from './settle-claim-mail.ts';

/**
 * Ends a mail with a link, and with it the message or the claim goes on: it waits for the link to be opened, or goes the next
 * route, or has failed. A second call changes nothing.
 */
export async function settleLinkMail(
  db: Database,
  { mailId, end, now }: EndedLinkMail,
): Promise<OutboxEntry[]> {
  const known = await findLinkOfMail(db, mailId);
  if (known?.subject.kind === 'CLAIM') return await settleClaimMail(db, known, { mailId, end, now });
  return await inTransaction(db.pool, async (tx) => {
    const open = known && (await lockTransaction(db, tx, known.tenantId, known.subject.id));
    const isFirst = await endMail(tx, mailId, end);
    if (!isFirst || !open || open.record.deletedAt || open.record.pairId !== null) return [];
    const { subject } = known;
    const link = await lockCurrentLink(db, tx, { tenantId: open.record.tenantId, subject });
    if (link?.mailId !== mailId) return [];
    await (end.status === 'FAILED' ? endLink(tx, link.id, now) : setSent(tx, link.id, now));
    return await goOn(db, tx, { record: open.record, link, end, now });
  });
}

interface LinkMailOutcome {
  record: TransactionRecord;
  link: StoredLink;
  end: MailEnd;
  now: Date;
}

async function goOn(db: Database, tx: pg.PoolClient, outcome: LinkMailOutcome): Promise<OutboxEntry[]> {
  const { tenantId, id } = outcome.record;
  const change = await changeAfter(db, tx, outcome);
  const changed = await changeInTransaction(db, tx, { tenantId, id, now: outcome.now, decide: () => change });
  if (!changed) throw new Error('a locked message without a pair was paired');
  return changed.outbox;
}

async function changeAfter(
  networks: OpenNetworks,
  tx: Queryable,
  { record, link, end, now }: LinkMailOutcome,
): Promise<PairChange> {
  if (end.status === 'FAILED') {
    const { address } = link;
    const { refusedMailboxes = [] } = record.personal;
    const refused = { ...record.personal, refusedMailboxes: [...refusedMailboxes, address] };
    const { counterparty } = await resolveRoute(tx, { ...record, personal: refused }, networks);
    return markMailRefused(record, {
      address,
      error: end.error ?? 'UNKNOWN',
      hasNext: counterparty !== null,
      now,
    });
  }
  const { counterparty, entityId: named, skipped } = await resolveRoute(tx, record, networks);
  const entityId = counterparty?.network === 'EMAIL' ? counterparty.entityId : named;
  return markMailed(record, { entityId, skipped, linkId: link.id, sent: { sentAt: now, reminders: 0 }, now });
}
