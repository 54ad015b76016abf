import { DomainError } from '../../domain/errors.ts';
import { markOpened } from '../../domain/transactions/lifecycle/mail-outcomes.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import { findGateway } from '../gateways/find-gateway.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { startSession } from '../portal/portal-codes.ts';
import type { StoredLink } from '../portal/portal-links.ts';
import { changeTransaction } from '../transactions/change-transaction.ts';
import { getTransaction } from '../transactions/find-transaction.ts';
import { wakeForRescreening } from '../transactions/wake-for-rescreening.ts';
import { deliverNative } from './deliver-native.ts';
import { goesTo, requireCurrentLink } from './require-current-link.ts';

interface OpenedLink {
  session: string;
  expiresAt: Date;
  outbox: OutboxEntry[];
}

interface RightCode {
  link: StoredLink;
  /** The sender's record. */
  record: TransactionRecord;
  code: string;
  now: Date;
}

/**
 * Opens a message after a right code: the first time it is delivered to the gateway of e-mail, if it still goes to the mailbox
 * of the link; each time is an event. Throws conflict for a message that cannot be shown now: the code counts still.
 */
export async function openByMail(db: Database, { link, record, code, now }: RightCode): Promise<OpenedLink> {
  const { tenantId, id } = record;
  const delivered = record.pairId === null ? await deliver(db, { link, record, now }) : [];
  let started: { session: string; expiresAt: Date } | undefined;
  const { outbox } = await changeTransaction(db, {
    tenantId,
    id,
    now,
    decide: (own) => markOpened(own, { linkId: link.id, now }),
    // The message may have gone another way, or another link taken its place, since the token was read.
    complete: async (tx, decided, { own }) => {
      await mailedRecordOf(tx, own);
      await requireCurrentLink(db, tx, link);
      return decided;
    },
    also: async (tx) => {
      started = await startSession(db, tx, { linkId: link.id, code }, now);
    },
  });
  if (!started) throw new Error('opening a link is a change of its record');
  return { ...started, outbox: [...delivered, ...outbox] };
}

async function deliver(db: Database, { link, record, now }: Omit<RightCode, 'code'>): Promise<OutboxEntry[]> {
  const { tenantId, id, counterpartyEntityId: entityId } = record;
  const receiverTenantId = await findGateway(db.pool, 'EMAIL');
  const isStillMeant = async (tx: Queryable, sent: TransactionRecord) =>
    await goesTo(db, tx, { link, record: sent });
  const outside = { entityId, skipped: [] };
  const delivery = { tenantId, id, receiverTenantId, outside, isStillMeant, now };
  // A gateway screens nothing.
  const delivered = await deliverNative(db, delivery, async () => await Promise.resolve(null));
  if (delivered !== null && delivered !== 'SCREEN_AGAIN') return delivered.outbox;
  // Whoever has the link tries again; the sweep starts the workflow where nobody does before.
  if (delivered === 'SCREEN_AGAIN') await wakeForRescreening(db.pool, [id], now);
  // Somebody else may have opened it at the same moment.
  if ((await getTransaction(db, tenantId, id)).pairId !== null) return [];
  throw new DomainError('conflict', 'This message cannot be shown at the moment. Please try again later.');
}

/** The gateway, and its record of the message. Throws conflict for a message that has gone another way. */
export async function mailedRecordOf(
  db: Queryable,
  { tenantId, id }: TransactionRecord,
): Promise<{ tenantId: string; id: string }> {
  const { rows } = await db.query<{ tenant_id: string; id: string }>(
    `select p.incoming_tenant_id as tenant_id, p.incoming_id as id
     from transactions o join message_pairs p on p.id = o.pair_id join tenants t on t.id = p.incoming_tenant_id
     where o.tenant_id = $1 and o.id = $2 and t.gateway = 'EMAIL'`,
    [tenantId, id],
  );
  const found = rows[0];
  if (!found) throw new DomainError('conflict', 'This message has reached its receiver in another way.');
  return { tenantId: found.tenant_id, id: found.id };
}
