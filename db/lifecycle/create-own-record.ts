import { inTransaction } from '../postgres.ts';
import type { Database } from '../database.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import {
  insertTransactions,
  prepareCreate,
  type CreateOutcome,
  type CreateRequest,
} from '../transactions/create-transactions.ts';
import { lockReceivedRecords, relateTransfer } from './relate-transfer.ts';
import { findMessageOf } from './same-transfer.ts';

/**
 * Stores a record that a receiver makes itself of a transfer whose hash it knows. Where the message for the transfer was
 * received before, both records are related in the same database transaction; no message arrives during it.
 */
export async function createOwnRecord(db: Database, request: CreateRequest): Promise<CreateOutcome> {
  const { record } = request;
  return await inTransaction(db.pool, async (tx) => {
    await lockRoutes(tx, [destinationRoute(record.destinationNormal)]);
    await lockReceivedRecords(tx, record);
    const message = await findMessageOf(db, tx, record);
    const own = message ? { ...record, relatedTransactionId: message.record.id } : record;
    const [created] = await insertTransactions(tx, [await prepareCreate(db, { ...request, record: own })]);
    if (created?.kind !== 'CREATED') return { kind: 'REPEATED' };
    if (!message) return created;
    const related = await relateTransfer(db, tx, created.record, {
      relatedBefore: null,
      now: record.createdAt,
    });
    return { ...created, outbox: [...created.outbox, ...related] };
  });
}
