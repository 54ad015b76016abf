import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isFinal } from '../../domain/transactions/state.ts';
import type { Queryable } from '../postgres.ts';

interface NewPair {
  sent: TransactionRecord;
  received: TransactionRecord;
}

/** Stores the pair of a delivered message: the sender's record, which names the pair, and the receiver's. */
export async function insertPair(tx: Queryable, { sent, received }: NewPair, now: Date): Promise<void> {
  const outcome = isFinal(sent.status) ? sent.status : null;
  await tx.query({
    name: 'insert-message-pair',
    text: `insert into message_pairs
             (id, outgoing_tenant_id, outgoing_id, incoming_tenant_id, incoming_id, outcome, created_at, decided_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      sent.pairId,
      sent.tenantId,
      sent.id,
      received.tenantId,
      received.id,
      outcome,
      now,
      outcome && now,
    ],
  });
}
