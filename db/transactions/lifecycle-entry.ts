import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { insertOutboxEntries, type NewOutboxEntry, type OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';

type LifecycleSubject = Pick<TransactionRecord, 'id' | 'tenantId' | 'asset'> &
  Partial<Pick<TransactionRecord, 'direction'>>;

/**
 * An outbox entry that wakes the record's lifecycle workflow. The summary names the direction and the asset, no
 * party.
 */
export function lifecycleEntry({ id, tenantId, asset, direction }: LifecycleSubject): NewOutboxEntry {
  return {
    tenantId,
    workflow: 'transactionLifecycle',
    subjectId: id,
    summary: `${direction === 'INCOMING' ? 'Deposit of' : 'Outgoing'} ${asset}`,
  };
}

/**
 * Wakes the lifecycle workflow of a transaction, which does the screening and decisions that the caller leaves
 * undone.
 */
export async function queueLifecycle(
  db: Queryable,
  record: TransactionRecord,
  now: Date,
): Promise<OutboxEntry[]> {
  return await insertOutboxEntries(db, [lifecycleEntry(record)], now);
}
