import { randomBytes } from 'node:crypto';
import type { Event } from '../../domain/events/event.ts';
import type { RecordChange } from '../../domain/transactions/change.ts';
import type { SentData } from '../../domain/transactions/sent-data.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isRoutedAnew } from '../../domain/transactions/lifecycle/restart-routing.ts';
import { announced } from '../../domain/transactions/announcement.ts';
import { isAnswer, mayMove } from '../../domain/transactions/state.ts';
import { arrayParameter, insertSql, unnestRows, unnestValues, type Column } from '../columns.ts';
import type { Database } from '../database.ts';
import { eventColumns } from '../events/event-columns.ts';
import { payloadHash, type PayloadContent } from '../events/payload-hash.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import { endMailedLinks } from '../portal/portal-links.ts';
import type { Queryable } from '../postgres.ts';
import { chainChange } from '../records/chain-changes.ts';
import {
  answerColumns,
  answerDeltasSql,
  deltasSql,
  insertCounted,
  type MessageAnswer,
} from '../statistics/deltas.ts';
import { countedColumns, TRANSACTIONS } from '../statistics/measures.ts';
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
  await insertRows(
    tx,
    prepared.filter((item) => item.write.isNew),
  );
  await updateRows(
    tx,
    prepared.filter((item) => !item.write.isNew),
  );
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
  const { record, events } = chainChange<TransactionRecord>({
    vault: db.vault,
    subjectKind: 'TRANSACTION',
    before: open.record,
    after: change.after,
    drafts: change.events,
    isNew,
    now,
    payloadHash: payload?.hash ?? null,
  });
  const sent = events.find((event) => event.payloadHash !== null);
  const keys = await db.vault.tenantKeys(record.tenantId);
  return {
    write,
    sealed: isNew
      ? transactionTable.seal({ ...open, record }, keys)
      : transactionTable.reseal({ ...open, record }, open.record, keys),
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

async function insertRows(tx: Queryable, prepared: readonly PreparedWrite[]): Promise<void> {
  if (prepared.length === 0) return;
  const { columns } = transactionTable;
  const rows = prepared.map((item) => item.sealed);
  await tx.query({ name: 'insert-transactions', text: INSERT, values: unnestValues(columns, rows) });
}

const INSERT = insertCounted(TRANSACTIONS, insertSql('transactions', transactionTable.columns));

const { updateColumns } = transactionTable;

// The records are locked, so what the statement finds is what it changes.
const UPDATE = `
  with before as materialized (
    select ${countedColumns(TRANSACTIONS)} from transactions
    where id = any(${arrayParameter(updateColumns, 'id')}) and tenant_id = any(${arrayParameter(updateColumns, 'tenant_id')})
  ), updated as (
    update transactions t set ${transactionTable.setList} from ${unnestRows(updateColumns)}
    where t.id = r.id and t.tenant_id = r.tenant_id and t.version = r.version - 1
    returning ${countedColumns(TRANSACTIONS, 't')}
  ), counted as (${deltasSql(TRANSACTIONS, { added: 'updated', removed: 'before' })})
  select count(*) as written from updated`;

/**
 * Compares and sets the version: a record that was changed without its lock makes this fail instead of being
 * overwritten.
 */
async function updateRows(tx: Queryable, prepared: readonly PreparedWrite[]): Promise<void> {
  if (prepared.length === 0) return;
  const rows = prepared.map((item) => item.sealed);
  const { rows: results } = await tx.query<{ written: number }>({
    name: 'update-transactions',
    text: UPDATE,
    values: unnestValues(updateColumns, rows),
  });
  if (results[0]?.written !== rows.length) throw new Error('a transaction was changed without its lock');
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
