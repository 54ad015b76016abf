import type pg from 'pg';
import { inTransaction } from '../postgres.ts';
import type { TransferCandidate } from '../../domain/transactions/exchanging/own-record-match.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import {
  insertTransactions,
  prepareCreate,
  type CreateOutcome,
  type CreateRequest,
} from '../transactions/create-transactions.ts';
import { findTransferStop } from '../transactions/transfer-stops.ts';
import { relateTransfer } from './relate-transfer.ts';
import { findMessageOf, lockReceivedRecords } from './same-transfer.ts';

/**
 * Stores a record that a receiver makes itself of a transfer whose hash it knows. Where the message for the transfer was
 * received before, both records are related in the same database transaction; no message arrives during it.
 */
export async function createOwnRecord(db: Database, request: CreateRequest): Promise<CreateOutcome> {
  return await inTransaction(db.pool, async (tx) => await createOwnRecordIn(db, tx, request));
}

/** Like createOwnRecord, inside a database transaction. */
export async function createOwnRecordIn(
  db: Database,
  tx: pg.PoolClient,
  request: CreateRequest,
): Promise<CreateOutcome> {
  const { record } = request;
  await lockRoutes(tx, [destinationRoute(record.destinationNormal)]);
  await lockReceivedRecords(tx, record);
  const message = await findMessageOf(db, tx, record);
  const stop = await findTransferStop(tx, record);
  const stopped = stop?.after ?? record;
  const own = message ? relatedWith(stopped, message) : stopped;
  // What stands against it from the start shows in its clearance, but a hold is logged.
  const nextEvents = (stop?.events ?? []).filter(({ type }) => type === 'HELD');
  const prepared = await prepareCreate(db, { ...request, record: own, nextEvents });
  const [created] = await insertTransactions(tx, [prepared]);
  if (created?.kind !== 'CREATED') return created ?? { kind: 'REPEATED' };
  if (!message) return created;
  const related = await relateTransfer(db, tx, created.record, {
    before: created.record,
    isOfSender: false,
    now: record.createdAt,
  });
  return { ...created, outbox: [...created.outbox, ...related] };
}

/** The new record as it stands beside the message: what the answer shows is what is stored. */
function relatedWith(own: TransactionRecord, { record: message, fit }: TransferCandidate): TransactionRecord {
  const { counterpartyEntityId } = fit === 'NAMED' ? message : own;
  return { ...own, relatedTransactionId: message.id, counterpartyEntityId };
}
