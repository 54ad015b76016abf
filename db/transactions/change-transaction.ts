import type pg from 'pg';
import { notFound } from '../../domain/errors.ts';
import type { PairChange, RecordChange } from '../../domain/transactions/change.ts';
import { isDecisive, takenDecision } from '../../domain/transactions/exchanging/relate-records.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { markForLists } from '../../domain/transactions/screening-due.ts';
import { isFinal, type Status } from '../../domain/transactions/state.ts';
import type { Database } from '../database.ts';
import { settlePair } from '../message-pairs/settle-pairs.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { comparedWhenConfirmed } from './answered-behind.ts';
import { isBehindKeptLists } from './compared-lists.ts';
import { lockTransaction } from './find-transaction.ts';
import type { OpenTransaction } from './row.ts';
import { writeChanges, type TransactionWrite } from './write-changes.ts';

export interface TransactionCommand {
  tenantId: string;
  id: string;
  now: Date;
  /** Pure: decides the change from both locked records; may throw a DomainError. */
  decide: (own: TransactionRecord, counterpart: TransactionRecord | null) => PairChange;
  /** Adds to the decided changes what follows from other tables. */
  complete?: (tx: Queryable, decided: PairChange, before: PairRecords) => Promise<PairChange>;
  /** Further reads and writes in the same database transaction, when the record changes. Gets it as it was written. */
  also?: (tx: Queryable, written: TransactionRecord) => Promise<void>;
  /** Change a deleted record instead of a living one. */
  deleted?: boolean;
}

/** Both records of a message pair, as they are before a change. */
export interface PairRecords {
  own: TransactionRecord;
  counterpart: TransactionRecord | null;
}

export interface ChangedTransaction {
  record: TransactionRecord;
  /** The other side's living record, as it is now. */
  counterpart: TransactionRecord | null;
  outbox: OutboxEntry[];
}

/**
 * Changes a stored transaction as `decide` says, and its counterpart with it. The pair is locked first, so that the
 * first of two decisions counts on both sides and the second one sees it; then their records, then the receiver's own
 * record of the same transfer, which takes the decision on the message. `decide` gets null for a deleted counterpart.
 * Throws not_found.
 */
export async function changeTransaction(
  db: Database,
  command: TransactionCommand,
): Promise<ChangedTransaction> {
  return await untilPaired(db, async (tx) => await changeInTransaction(db, tx, command));
}

/**
 * Runs `work` in a database transaction, and again when it returns undefined because the record was paired after its
 * pair was looked up. That happens at most once in the life of a record.
 */
export async function untilPaired<T>(
  db: Database,
  work: (tx: pg.PoolClient) => Promise<T | undefined>,
): Promise<T> {
  for (;;) {
    const done = await inTransaction(db.pool, work);
    if (done !== undefined) return done;
  }
}

/**
 * Like changeTransaction, inside a database transaction. Undefined when the record was paired meanwhile: start again.
 */
export async function changeInTransaction(
  db: Database,
  tx: pg.PoolClient,
  command: TransactionCommand,
): Promise<ChangedTransaction | undefined> {
  const { tenantId, id, now } = command;
  const pair = await lockPairOf(tx, tenantId, id);
  const own = await lockTransaction(db, tx, tenantId, id);
  if (!own || (own.record.deletedAt !== null) !== (command.deleted ?? false)) throw notFound('transaction');
  if (own.record.pairId !== (pair?.id ?? null)) return undefined;
  const counterpart = pair ? await lockCounterpart(db, tx, pair, id) : null;
  const before = { own: own.record, counterpart: counterpart?.record ?? null };
  const decided = command.decide(before.own, before.counterpart);
  const completed = (await command.complete?.(tx, decided, before)) ?? decided;
  const answered = { open: counterpart, change: completed.counterpart };
  const decision = { ...completed, counterpart: await comparedWhenConfirmed(tx, answered, now) };
  const writes = [writeOf(own, decision.own, decision), writeOf(counterpart, decision.counterpart, decision)];
  const done = writes.filter((write) => write !== null);
  if (done.length === 0) return { record: own.record, counterpart: counterpart?.record ?? null, outbox: [] };
  const related = await writeOfRelated(db, tx, { before, decision }, now);
  const { records, outbox } = await writeChanges(db, tx, related ? [...done, related] : done, now);
  const storedAs = (open: OpenTransaction) =>
    records.find((record) => record.id === open.record.id) ?? open.record;
  await command.also?.(tx, storedAs(own));
  if (pair) await settle(tx, pair, { decision, counterpart }, now);
  return { record: storedAs(own), counterpart: counterpart && storedAs(counterpart), outbox };
}

interface PairDecided {
  before: PairRecords;
  decision: PairChange;
}

/**
 * The receiver's own record of the transfer, which takes the decision that is made on its message; null where there is
 * none, or the message was decided before. Its own parties are compared with new versions of the lists as well.
 */
export async function writeOfRelated(
  db: Database,
  tx: Queryable,
  { before, decision }: PairDecided,
  now: Date,
): Promise<TransactionWrite | null> {
  const isOwn = decision.own?.after.direction === 'INCOMING';
  const received = (isOwn ? decision.own : decision.counterpart)?.after;
  const receivedBefore = isOwn ? before.own : before.counterpart;
  if (!received || received.relatedTransactionId === null || !isDecisive(received)) return null;
  if (receivedBefore && isDecisive(receivedBefore)) return null;
  const related = await lockTransaction(db, tx, received.tenantId, received.relatedTransactionId);
  if (!related || related.record.relatedTransactionId !== received.id) return null;
  const isBehind = received.status === 'CONFIRMED' && (await isBehindKeptLists(tx, related.record));
  const own = isBehind ? markForLists(related.record, now) : related.record;
  const change = takenDecision(own, received, now);
  return change && { open: related, change, isNew: false, forwarded: null };
}

/** A row of message_pairs: the two records of one message. */
interface PairRow {
  id: string;
  outgoing_tenant_id: string;
  outgoing_id: string;
  incoming_tenant_id: string;
  incoming_id: string;
  outcome: Status | null;
}

/** Locks the pair of a record. Whoever locks a record and its pair locks the pair first. */
export async function lockPairOf(tx: Queryable, tenantId: string, id: string): Promise<PairRow | undefined> {
  const { rows } = await tx.query<PairRow>({
    name: 'lock-message-pair',
    text: `select p.id, outgoing_tenant_id, outgoing_id, incoming_tenant_id, incoming_id, outcome
           from transactions t join message_pairs p on p.id = t.pair_id
           where t.tenant_id = $1 and t.id = $2 for no key update of p`,
    values: [tenantId, id],
  });
  return rows[0];
}

async function lockCounterpart(
  db: Database,
  tx: Queryable,
  pair: PairRow,
  ownId: string,
): Promise<OpenTransaction | null> {
  const counterpart =
    pair.outgoing_id === ownId
      ? await lockTransaction(db, tx, pair.incoming_tenant_id, pair.incoming_id)
      : await lockTransaction(db, tx, pair.outgoing_tenant_id, pair.outgoing_id);
  // The receiver's own record may have been given back to it and completed by another message.
  const isPaired = counterpart?.record.pairId === pair.id;
  return counterpart && isPaired && !counterpart.record.deletedAt ? counterpart : null;
}

function writeOf(
  open: OpenTransaction | null | undefined,
  change: RecordChange | null,
  decision: PairChange,
): TransactionWrite | null {
  if (!open || !change) return null;
  return { open, change, isNew: false, forwarded: decision.forwarded };
}

interface PairDecision {
  decision: PairChange;
  counterpart: OpenTransaction | null;
}

/** Stores the first final status in the pair; it decides for both sides. A message that was taken back ends the pair. */
async function settle(tx: Queryable, pair: PairRow, decided: PairDecision, now: Date): Promise<void> {
  const outcome = pair.outcome ?? outcomeFor(decided);
  const isClosed = changesOf(decided.decision).some(({ after }) => after.pairId !== pair.id);
  if (outcome === pair.outcome && !isClosed) return;
  await settlePair(tx, { id: pair.id, outcome, isClosed }, now);
}

/**
 * The outcome of the message: the final status of the sender's record. A receiver that had confirmed its own record
 * before may still owe the answer; only where the sender has deleted its record does the receiver's status count.
 */
function outcomeFor({ decision, counterpart }: PairDecision): Status | null {
  const changes = changesOf(decision);
  const sent = changes.find(({ after }) => after.direction === 'OUTGOING');
  const decisive = sent ?? (counterpart ? undefined : changes[0]);
  return decisive && isFinal(decisive.after.status) ? decisive.after.status : null;
}

function changesOf({ own, counterpart }: PairChange): RecordChange[] {
  return [own, counterpart].filter((change) => change !== null);
}
