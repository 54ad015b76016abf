import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Queryable } from '../postgres.ts';
import { type OutboxEntry, insertOutboxEntries } from '../outbox.ts';
import { lifecycleEntry } from './lifecycle-entry.ts';

/** Lets the record's own workflow go on with it. */
export async function queueLifecycle(
  db: Queryable,
  record: TransactionRecord,
  now: Date,
): Promise<OutboxEntry[]> {
  return await insertOutboxEntries(db, [lifecycleEntry(record)], now);
}
