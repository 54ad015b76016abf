import { changeInTransaction, type TransactionCommand } from '../../db/transactions/change-transaction.ts';
import type { Database } from '../../db/database.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { CommitEffect } from '../idempotency.ts';
import type { EndpointAnswer } from '../send-answer.ts';

/** The record was paired after its pair was looked up; nothing was written. */
class PairedMeanwhile extends Error {}

/**
 * Changes a transaction in the database transaction that keeps the answer: whoever repeats a request whose answer was lost
 * gets that answer. Throws not_found, and what `decide` throws.
 */
export async function commitChange(
  { db, commit }: { db: Database; commit: CommitEffect },
  command: TransactionCommand,
  answer: (record: TransactionRecord) => { status: number; body: unknown },
): Promise<EndpointAnswer> {
  const change = async () =>
    await commit(async (tx) => {
      const changed = await changeInTransaction(db, tx, command);
      if (!changed) throw new PairedMeanwhile();
      const shows = { kind: 'TRANSACTION', id: command.id } as const;
      return { ...answer(changed.record), shows, outbox: changed.outbox };
    });
  try {
    return await change();
  } catch (error) {
    // Happens at most once in the life of a record.
    if (error instanceof PairedMeanwhile) return await change();
    throw error;
  }
}
