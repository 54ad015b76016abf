import { answeredClaim } from '../../domain/claims/end-claim.ts';
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
}

/**
 * Ends the open claims of a receiver for the transfer of a message, on both sides, whether the message completes a record or
 * is only related with it. A claim that names another VASP than the sender stays open. Transactions are locked before.
 */
export async function answerClaims(
  db: Database,
  tx: Queryable,
  { sent, received }: ArrivedMessage,
  now: Date,
): Promise<OutboxEntry[]> {
  const { tenantId, pairId, status, counterpartyEntityId } = received;
  if (pairId === null || status === 'CANCELLED' || counterpartyEntityId === null) return [];
  const outbox: OutboxEntry[] = [];
  for (const id of await findClaimsOf(tx, received)) {
    const locked = await lockClaim(db, tx, tenantId, id);
    const { own, counterpart } = locked;
    const named = own.record.personal.originatorVaspName;
    if ((await senderFitOf(tx, named, counterpartyEntityId)) === 'OTHER') continue;
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
