import { DomainError } from '../../domain/errors.ts';
import type { PairChange } from '../../domain/transactions/change.ts';
import type { RoutedCounterparty } from '../../domain/transactions/lifecycle/route.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import { lockCurrentLink, type StoredLink } from '../portal/portal-links.ts';
import type { Queryable } from '../postgres.ts';
import { resolveRoute } from './resolve-counterparty.ts';

/**
 * Throws conflict for a link that ended after its token was read: another one took its place, or the message was routed anew.
 * Lock its record first.
 */
export async function requireCurrentLink(db: Database, tx: Queryable, link: StoredLink): Promise<void> {
  if (await isCurrent(db, tx, link)) return;
  throw new DomainError(
    'conflict',
    'This link has ended: what it led to has gone another way, or a newer link was sent.',
  );
}

/** For a change of the record that a link leads to: it happens only while the link is the present one. */
export function whileCurrent(
  db: Database,
  link: StoredLink,
): (tx: Queryable, decided: PairChange) => Promise<PairChange> {
  return async (tx, decided) => {
    await requireCurrentLink(db, tx, link);
    return decided;
  };
}

interface MailedMessage {
  link: StoredLink;
  /** The sender's record. */
  record: TransactionRecord;
}

/** Whether an unopened message still goes to the mailbox of this link. Lock its record first. */
export async function goesTo(db: Database, tx: Queryable, { link, record }: MailedMessage): Promise<boolean> {
  if (!(await isCurrent(db, tx, link))) return false;
  const { counterparty } = await resolveRoute(tx, record, db);
  return isMailTo(counterparty, link);
}

/**
 * Whether the message of a link goes another way by now than to its mailbox, as far as can be said without a lock: to another
 * mailbox or over another network since the directory or the sender changed that, or to nobody.
 */
export async function leadsElsewhere(db: Database, { link, record }: MailedMessage): Promise<boolean> {
  if (record.pairId !== null) return record.messageSource !== 'EMAIL';
  const { counterparty } = await resolveRoute(db.pool, record, db);
  return !isMailTo(counterparty, link);
}

function isMailTo(counterparty: RoutedCounterparty | null, { address }: StoredLink): boolean {
  return counterparty?.network === 'EMAIL' && counterparty.address === address;
}

async function isCurrent(
  db: Database,
  tx: Queryable,
  { id, tenantId, subject }: StoredLink,
): Promise<boolean> {
  return (await lockCurrentLink(db, tx, { tenantId, subject }))?.id === id;
}
