import { randomBytes } from 'node:crypto';
import type { Event } from '../../domain/events/event.ts';
import type { RecordChange } from '../../domain/transactions/change.ts';
import type { SentData } from '../../domain/transactions/sent-data.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isRoutedAnew } from '../../domain/transactions/lifecycle/restart-routing.ts';
import { announced } from '../../domain/transactions/announcement.ts';
import { isAnswer, mayMove } from '../../domain/transactions/state.ts';
import { insertSql, unnestValues, type Column } from '../columns.ts';
import type { Database } from '../database.ts';
import { eventColumns } from '../events/event-columns.ts';
import { payloadHash, type PayloadContent } from '../events/payload-hash.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import { endMailedLinks } from '../portal/portal-links.ts';
import type { Queryable } from '../postgres.ts';
import { sealChange } from '../records/seal-change.ts';
import { recordRows } from '../statistics/record-rows.ts';
import { answerColumns, answerDeltasSql, type MessageAnswer } from '../statistics/deltas.ts';
import { TRANSACTIONS } from '../statistics/measures.ts';
import { sealingContext } from '../vault/contexts.ts';
import { insertWebhooks } from './insert-webhooks.ts';
import { lifecycleEntry } from './lifecycle-entry.ts';
import { transferStopWrites } from './transfer-stops.ts';
import { transactionTable, type OpenTransaction, type SealedTransaction } from './row.ts';

/** A changed or a new record. */
export interface TransactionWrite {
  open: OpenTransaction;
  change: RecordChange;
  isNew: boolean;
  /**
   * Party data that this change sends to the other VASP; an encrypted, hashed version is stored as evidence. Null
   * when none is sent.
   */
  forwarded: SentData | null;
}

/** The stored records, in the order of the writes, and the outbox entries to deliver after the commit. */
export interface WrittenTransactions {
  records: TransactionRecord[];
  outbox: OutboxEntry[];
}

interface PreparedWrite {
  write: TransactionWrite;
  sealed: SealedTransaction;
  events: Event[];
  version: { eventId: string; payload: Buffer } | null;
}

/**
 * Writes changed records with their events, payload versions, webhooks and outbox entries, inside the
 * database transaction that locked the records. Throws, with nothing written, for a status that the state table does
 * not allow: a programming error.
 *
 * A hold or a block that comes or goes is written to the tenant's own records of the transfer as well. A message that is
 * routed anew takes its link back from the mailbox that has it.
 */
export async function writeChanges(
  db: Database,
  tx: Queryable,
  writes: readonly TransactionWrite[],
  now: Date,
): Promise<WrittenTransactions> {
  const { records, outbox } = await writeAll(db, tx, writes, now);
  const written = records.map((after, index) => ({ before: beforeOf(writes[index]), after }));
  const stops = await transferStopWrites(db, tx, written, now);
  if (stops.length === 0) return { records, outbox };
  const stopped = await writeAll(db, tx, stops, now);
  const latest = new Map(stopped.records.map((record) => [record.id, record]));
  return {
    records: records.map((record) => latest.get(record.id) ?? record),
    outbox: [...outbox, ...stopped.outbox],
  };
}

function beforeOf(write: TransactionWrite | undefined): TransactionRecord | null {
  return write && !write.isNew ? write.open.record : null;
}

async function writeAll(
  db: Database,
  tx: Queryable,
  writes: readonly TransactionWrite[],
  now: Date,
): Promise<WrittenTransactions> {
  const prepared: PreparedWrite[] = [];
  for (const write of writes) prepared.push(await prepareWrite(db, write, now));
  await transactionRows.insert(tx, rowsOf(prepared, true));
  await transactionRows.update(tx, rowsOf(prepared, false));
  await tx.query({
    name: 'insert-events',
    text: INSERT_EVENTS,
    values: [
      ...unnestValues(
        eventColumns,
        prepared.flatMap((item) => item.events),
      ),
      ...unnestValues(answerColumns, prepared.flatMap(answerOf)),
    ],
  });
  await insertVersions(tx, prepared);
  await endMailedLinks(tx, prepared.filter(isReroute).map(messageOf), now);
  const notified = prepared.filter(({ write }) => write.change.notify).map(({ sealed }) => sealed);
  const webhooks = await insertWebhooks(db, tx, notified, now);
  const entries = prepared
    .filter((item) => item.write.change.wakesWorkflow)
    .map((item) => lifecycleEntry(item.sealed.record));
  return {
    records: prepared.map((item) => item.sealed.record),
    outbox: [...webhooks, ...(await insertOutboxEntries(tx, entries, now))],
  };
}

const transactionRows = recordRows('transactions', transactionTable, TRANSACTIONS);

function rowsOf(prepared: readonly PreparedWrite[], isNew: boolean): SealedTransaction[] {
  return prepared.filter(({ write }) => write.isNew === isNew).map(({ sealed }) => sealed);
}

function isReroute({ write }: PreparedWrite): boolean {
  const before = beforeOf(write);
  return before !== null && isRoutedAnew(before, write.change.after);
}

function messageOf({ sealed: { record } }: PreparedWrite): { tenantId: string; id: string } {
  return record;
}

async function prepareWrite(db: Database, given: TransactionWrite, now: Date): Promise<PreparedWrite> {
  requireMove(given);
  const { open, isNew, forwarded } = given;
  const change = announced(isNew ? null : open.record, given.change, now);
  const write = { ...given, change };
  const payload = forwarded && payloadVersion(forwarded);
  const { sealed, events } = await sealChange(db, transactionTable, {
    subjectKind: 'TRANSACTION',
    open,
    change,
    isNew,
    now,
    payloadHash: payload?.hash ?? null,
  });
  const sent = events.find((event) => event.payloadHash !== null);
  return {
    write,
    sealed,
    events,
    version: payload && sent ? sealVersion(open, sent.id, payload.content) : null,
  };
}

function requireMove({ open, change, isNew }: TransactionWrite): void {
  const { id, direction, status: from } = open.record;
  const { status: to } = change.after;
  if (isNew || from === to || mayMove(direction, from, to)) return;
  throw new Error(`an ${direction} transaction must not move from ${from} to ${to} (${id})`);
}

/** Hashes the payload with a salt, so that the hash alone cannot confirm a guessed name. */
function payloadVersion(payload: SentData): { hash: string; content: PayloadContent } {
  const salt = randomBytes(16).toString('hex');
  return { hash: payloadHash({ salt, payload }), content: { salt, payload } };
}

function sealVersion({ key, record }: OpenTransaction, eventId: string, content: unknown) {
  return { eventId, payload: key.seal(sealingContext.transaction.payload(record, eventId), content) };
}

const INSERT_EVENTS = `with answered as (${answerDeltasSql(eventColumns.length + 1)}) ${insertSql('events', eventColumns)}`;

/** The answer to a message that a change makes; nobody answers for a self-hosted wallet. */
function answerOf({ write: { open, isNew }, sealed: { record }, events }: PreparedWrite): MessageAnswer[] {
  const { tenantId, direction, createdAt, status } = record;
  const [first] = events;
  const otherType = direction === 'OUTGOING' ? record.destinationType : record.originType;
  const isMove = !isNew && status !== open.record.status && isAnswer(status);
  if (!first || !isMove || otherType !== 'CUSTODIAL') return [];
  return [{ tenantId, direction, createdAt, answeredAt: first.createdAt }];
}

async function insertVersions(tx: Queryable, prepared: PreparedWrite[]): Promise<void> {
  const versions = prepared.flatMap(({ version, sealed }) =>
    version ? [{ ...version, record: sealed.record }] : [],
  );
  if (versions.length === 0) return;
  const columns: Column<(typeof versions)[number]>[] = [
    { name: 'event_id', type: 'uuid', value: (row) => row.eventId },
    { name: 'tenant_id', type: 'uuid', value: (row) => row.record.tenantId },
    { name: 'transaction_id', type: 'uuid', value: (row) => row.record.id },
    { name: 'payload', type: 'bytea', value: (row) => row.payload },
  ];
  const text = insertSql('payload_versions', columns);
  await tx.query({ name: 'insert-payload-versions', text, values: unnestValues(columns, versions) });
}
