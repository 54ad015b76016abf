import type pg from 'pg';
import { notFound } from '../../domain/errors.ts';
import type { PairChange, RecordChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isFinal } from '../../domain/transactions/state.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { lockTransaction } from './find-transaction.ts';
import type { OpenTransaction } from './row.ts';
import { writeChanges, type TransactionWrite } from './write-changes.ts';

interface TransactionCommand {
  tenantId: string;
  id: string;
  now: Date;
  /** Pure: decides the change from both locked records; may throw a DomainError. */
  decide: (own: TransactionRecord, counterpart: TransactionRecord | null) => PairChange;
  /** Further writes in the same database transaction, when the record changes. */
  also?: (tx: Queryable) => Promise<void>;
  /** Change a deleted record instead of a living one. */
  deleted?: boolean;
}

export interface ChangedTransaction {
  record: TransactionRecord;
  outbox: OutboxEntry[];
}

/**
 * Changes a stored transaction as `decide` says, and its counterpart with it. The pair is locked first, so that the
 * first of two decisions counts on both sides and the second one sees it. `decide` gets null for a deleted
 * counterpart. Throws not_found.
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
  const counterpart = pair && (await lockCounterpart(db, tx, pair, id));
  const decision = command.decide(own.record, counterpart?.record ?? null);
  const writes = [writeOf(own, decision.own, decision), writeOf(counterpart, decision.counterpart, decision)];
  const done = writes.filter((write) => write !== null);
  if (done.length === 0) return { record: own.record, outbox: [] };
  const { records, outbox } = await writeChanges(db, tx, done, now);
  await command.also?.(tx);
  if (pair) await settlePair(tx, pair, decision, now);
  const stored = records.find((record) => record.id === id);
  return { record: stored ?? own.record, outbox };
}

/** A row of message_pairs: the two records of one message. */
interface PairRow {
  id: string;
  outgoing_tenant_id: string;
  outgoing_id: string;
  incoming_tenant_id: string;
  incoming_id: string;
  outcome: string | null;
}

async function lockPairOf(tx: Queryable, tenantId: string, id: string): Promise<PairRow | undefined> {
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

/** Stores the first final status in the pair; it decides for both sides. */
async function settlePair(tx: Queryable, pair: PairRow, { own }: PairChange, now: Date): Promise<void> {
  if (pair.outcome || !own || !isFinal(own.after.status)) return;
  await tx.query('update message_pairs set outcome = $2, decided_at = $3 where id = $1', [
    pair.id,
    own.after.status,
    now,
  ]);
}
