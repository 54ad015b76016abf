import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { applyResolution } from '../../domain/trp/apply-resolution.ts';
import { isWithdrawnUnknown, withdrawalKnown } from '../../domain/trp/withdrawn-inquiry.ts';
import type { Database } from '../database.ts';
import { findGateway } from '../gateways/find-gateway.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { changeTransaction } from '../transactions/change-transaction.ts';
import { insertTrpNotices } from '../transactions/insert-trp-notices.ts';
import { findTransaction } from '../transactions/find-transaction.ts';
import type { TrpTransfer } from '../trp/transfer-row.ts';
import { findTransferOf } from '../trp/transfers.ts';

/**
 * Applies the answer that a beneficiary VASP has given to an inquiry of ours, once the message is delivered: an answer may
 * come before that. To a message that was withdrawn before, or goes another way, it says where that has to be told. A repeat changes nothing.
 */
export async function applyTrpAnswer(db: Database, sentId: string, now: Date): Promise<OutboxEntry[]> {
  const transfer = await findTransferOf(db, sentId);
  const answer = transfer?.secrets.answer;
  if (!answer) return [];
  // The answer says where the end of it is to be told.
  if (transfer.replacedFor !== null) return await insertTrpNotices(db.pool, [sentId], now);
  const received = await findReceived(db.pool, sentId);
  if (received === undefined) return await answerWithdrawn(db, transfer, now);
  const tenantId = await findGateway(db.pool, 'TRP');
  const { outbox } = await changeTransaction(db, {
    tenantId,
    id: received,
    now,
    decide: (own, counterpart) => applyResolution(own, counterpart, answer, now),
  });
  // What the other VASP could not be told before it named its callback: a hash that came with the message, or the end of it.
  return [...outbox, ...(await insertTrpNotices(db.pool, [received], now))];
}

/** Logs an answer to a message that was withdrawn before its delivery, and lets its VASP be told. */
async function answerWithdrawn(
  db: Database,
  { tenantId, sentId }: TrpTransfer,
  now: Date,
): Promise<OutboxEntry[]> {
  const record = await findTransaction(db, tenantId, sentId);
  if (!record || !isWithdrawnUnknown(record)) return [];
  const decide = (own: TransactionRecord) => withdrawalKnown(own, 'ANSWERED', now);
  const { outbox } = await changeTransaction(db, { tenantId, id: sentId, now, decide });
  return [...outbox, ...(await insertTrpNotices(db.pool, [sentId], now))];
}

/** The record of the gateway that belongs to an outgoing message; undefined before its delivery. */
async function findReceived(db: Queryable, sentId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ incoming_id: string }>({
    name: 'find-received-of-message',
    text: 'select incoming_id from message_pairs where outgoing_id = $1',
    values: [sentId],
  });
  return rows[0]?.incoming_id;
}
