import type pg from 'pg';
import { notFound } from '../../domain/errors.ts';
import type { PairChange, RecordChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isFinal } from '../../domain/transactions/state.ts';
import { type Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { lockTransaction } from './find-transaction.ts';
import type { OpenTransaction } from './row.ts';
import { writeChanges, type TransactionWrite } from './write-changes.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

interface TransactionCommand {
  tenantId: string;
  id: string;
  now: Date;
  /** Pure: looks at both locked records and says what becomes of them; may throw a DomainError. */
  decide: (own: TransactionRecord, counterpart: TransactionRecord | null) => PairChange;
  /** What is to be written in the same transaction, when the record changes. */
  also?: (tx: Queryable) => Promise<void>;
  /** Look for a deleted record instead of a living one. */
  deleted?: boolean;
}

export interface ChangedTransaction {
  record: TransactionRecord;
  outbox: OutboxEntry[];
}

/**
 * The one way in which a stored transaction changes. A native exchange is locked first, so that of two decisions the
 * first one wins on both sides and the other sees it. A deleted counterpart is not given to `decide`. Throws not_found.
 */
export async function changeTransaction(
  db: Database,
  change: TransactionCommand,
): Promise<ChangedTransaction> {
  for (;;) {
    const changed = await inTransaction(db.pool, async (tx) => await changeInTransaction(db, tx, change));
    if (changed) return changed;
  }
}

/** The same inside a transaction. Undefined when an exchange appeared between looking and locking: start again. */
export async function changeInTransaction(
  db: Database,
  tx: pg.PoolClient,
  change: TransactionCommand,
): Promise<ChangedTransaction | undefined> {
  const exchange = await lockPairOf(tx, change.tenantId, change.id);
  const own = await lockTransaction(db, tx, change.tenantId, change.id);
  if (!own || (own.record.deletedAt !== null) !== (change.deleted ?? false)) throw notFound('transaction');
  if (own.record.pairId !== (exchange?.id ?? null)) return undefined;
  const counterpart = exchange && (await lockCounterpart(db, tx, exchange, change.id));
  const decision = change.decide(own.record, counterpart?.record ?? null);
  const writes = [writeOf(own, decision.own, decision), writeOf(counterpart, decision.counterpart, decision)];
  const done = writes.filter((write) => write !== null);
  if (done.length === 0) return { record: own.record, outbox: [] };
  const { records, outbox } = await writeChanges(db, tx, done, change.now);
  await change.also?.(tx);
  if (exchange) await settlePair(tx, exchange, decision, change.now);
  const stored = records.find((record) => record.id === change.id);
  return { record: stored ?? own.record, outbox };
}

interface MessagePair {
  id: string;
  outgoing_tenant_id: string;
  outgoing_id: string;
  incoming_tenant_id: string;
  incoming_id: string;
  outcome: string | null;
}

async function lockPairOf(tx: Queryable, tenantId: string, id: string): Promise<MessagePair | undefined> {
  const { rows } = await tx.query<MessagePair>(
    `select e.id, outgoing_tenant_id, outgoing_id, incoming_tenant_id, incoming_id, outcome
     from transactions t join message_pairs e on e.id = t.pair_id
     where t.tenant_id = $1 and t.id = $2 for update of e`,
    [tenantId, id],
  );
  return rows[0];
}

async function lockCounterpart(
  db: Database,
  tx: Queryable,
  exchange: MessagePair,
  ownId: string,
): Promise<OpenTransaction | null> {
  const counterpart =
    exchange.outgoing_id === ownId
      ? await lockTransaction(db, tx, exchange.incoming_tenant_id, exchange.incoming_id)
      : await lockTransaction(db, tx, exchange.outgoing_tenant_id, exchange.outgoing_id);
  return counterpart && !counterpart.record.deletedAt ? counterpart : null;
}

function writeOf(
  open: OpenTransaction | null | undefined,
  change: RecordChange | null,
  decision: PairChange,
): TransactionWrite | null {
  if (!open || !change) return null;
  return { open, change, isNew: false, forwarded: decision.forwarded };
}

async function settlePair(
  tx: Queryable,
  exchange: MessagePair,
  { own }: PairChange,
  now: Date,
): Promise<void> {
  if (exchange.outcome || !own || !isFinal(own.after.status)) return;
  await tx.query('update message_pairs set outcome = $2, decided_at = $3 where id = $1', [
    exchange.id,
    own.after.status,
    now,
  ]);
}
