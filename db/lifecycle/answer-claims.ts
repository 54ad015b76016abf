import { answeredClaim } from '../../domain/claims/end-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { writeDecided } from '../claims/change-claim.ts';
import { lockClaim } from '../claims/find-claim.ts';
import { findClaimsOf } from '../claims/find-open-claims.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { senderFitOf } from './same-transfer.ts';

interface ArrivedMessage {
  /** The sender's record; null where it is deleted. */
  sent: TransactionRecord | null;
  /** The receiver's record: that of the message, or the own one that the message has completed. */
  received: TransactionRecord;
  /** The id of the receiver's claim that the message was sent to answer. */
  answers?: string | undefined;
}

/**
 * Ends the open claims of a receiver for the transfer of a message, on both sides, whether the message completes a record or
 * is only related with it. A claim that names another VASP than the sender stays open. Transactions are locked before.
 */
export async function answerClaims(
  db: Database,
  tx: Queryable,
  { sent, received, answers }: ArrivedMessage,
  now: Date,
): Promise<OutboxEntry[]> {
  const { tenantId, pairId, status, counterpartyEntityId: senderId } = received;
  if (pairId === null || status === 'CANCELLED' || (senderId === null && answers === undefined)) return [];
  const outbox: OutboxEntry[] = [];
  for (const id of await findClaimsOf(tx, received)) {
    const locked = await lockClaim(db, tx, tenantId, id);
    const { own, counterpart } = locked;
    if (id !== answers && !(await isOfNamed(tx, own.record, senderId))) continue;
    const isOfAsked = sent?.tenantId === counterpart?.record.tenantId;
    const decided = {
      own: answeredClaim(own.record, received.id, now),
      counterpart:
        counterpart && answeredClaim(counterpart.record, isOfAsked ? (sent?.id ?? null) : null, now),
    };
    outbox.push(...(await writeDecided(db, tx, { locked, decided }, now)).outbox);
  }
  return outbox;
}

/** Whether the sender of a message is the VASP that a claim names; anybody known is, where it names none. */
async function isOfNamed(
  tx: Queryable,
  { personal }: ClaimRecord,
  senderEntityId: string | null,
): Promise<boolean> {
  if (senderEntityId === null) return false;
  return (await senderFitOf(tx, personal.originatorVaspName, senderEntityId)) !== 'OTHER';
}
