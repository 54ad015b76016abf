import { createHmac, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { chainEvent } from '../../domain/events/chain.ts';
import type { Event, EventDraft } from '../../domain/events/event.ts';
import type { RecordChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { owedRelease } from '../../domain/transactions/release.ts';
import type { SentData } from '../../domain/transactions/exchanging/sent-data.ts';
import type { Database } from '../database.ts';
import { eventColumns } from '../events/event-columns.ts';
import { newId } from '../new-id.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import { insertSql, unnestRows, unnestValues, type Column } from '../columns.ts';
import { insertSnapshots, type TransactionSnapshot } from '../webhooks/insert-snapshots.ts';
import { lifecycleEntry } from './lifecycle-entry.ts';
import { sealingContext } from '../vault/contexts.ts';
import {
  changingColumns,
  sealTransaction,
  transactionColumns,
  type OpenTransaction,
  type SealedTransaction,
} from './row.ts';
import type { Queryable } from '../postgres.ts';
import { latest } from '../../domain/durations.ts';

/** A change of an existing record, or a record that is new with it. */
export interface TransactionWrite {
  open: OpenTransaction;
  change: RecordChange;
  isNew: boolean;
  /** The party data of this change crosses to the other VASP: keep a sealed, hashed version of it as evidence. */
  forwarded: SentData | null;
}

/** The records as they are stored now, in the order of the writes. */
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
 * Writes changed records with their events, payload versions, webhook snapshots and outbox rows. Must run inside the
 * transaction that locked the records. Returns what the workflows must be told after the commit.
 */
export async function writeChanges(
  db: Database,
  tx: Queryable,
  writes: TransactionWrite[],
  now: Date,
): Promise<WrittenTransactions> {
  const prepared: PreparedWrite[] = [];
  for (const write of writes) prepared.push(await prepareWrite(db, write, now));
  const fresh = prepared.filter((item) => item.write.isNew).map((item) => item.sealed);
  if (fresh.length > 0) {
    await tx.query(insertSql('transactions', transactionColumns), unnestValues(transactionColumns, fresh));
  }
  const stored = prepared.filter((item) => !item.write.isNew).map((item) => item.sealed);
  if (stored.length > 0) await updateRows(tx, stored);
  const events = prepared.flatMap((item) => item.events);
  await tx.query(insertSql('events', eventColumns), unnestValues(eventColumns, events));
  await insertVersions(tx, prepared);
  const snapshots = await insertSnapshots(tx, prepared.flatMap(snapshotOf), now);
  const outbox = prepared.flatMap((item) =>
    item.write.change.wakesWorkflow ? [lifecycleEntry(item.sealed.record)] : [],
  );
  return {
    records: prepared.map((item) => item.sealed.record),
    outbox: [...snapshots, ...(await insertOutboxEntries(tx, outbox, now))],
  };
}

async function prepareWrite(db: Database, write: TransactionWrite, now: Date): Promise<PreparedWrite> {
  const { open, change, isNew } = write;
  const version = isNew ? open.record.version : open.record.version + 1;
  const payload = write.forwarded && payloadVersion(write.forwarded);
  // The clock was read before the wait for the lock: in a record time must not run backwards all the same.
  const at = latest(now, open.record.updatedAt);
  const owed = chainOwed(open.record, version);
  const events = [
    ...owed,
    ...chainAll(endOf(open.record, owed), change.events, {
      version,
      now: at,
      payloadHash: payload?.hash ?? null,
    }),
  ];
  const last = events.at(-1);
  const forwarded = events.find((event) => event.payloadHash !== null);
  const record: TransactionRecord = {
    ...change.after,
    releaseId: null,
    updatedAt: latest(change.after.updatedAt, open.record.updatedAt),
    version,
    sequence: last?.sequence ?? open.record.sequence,
    head: last?.hash ?? open.record.head,
  };
  const keys = await db.vault.tenantKeys(record.tenantId);
  return {
    write,
    sealed: sealTransaction({ ...open, record }, keys),
    events,
    version: payload && forwarded ? sealVersion(open, record, forwarded.id, payload.content) : null,
  };
}

/** A release that is still owed goes before everything else, dated when the data became visible. */
function chainOwed(before: TransactionRecord, version: number): Event[] {
  const release = owedRelease(before);
  return release ? chainAll(before, [release], { version, now: before.updatedAt, payloadHash: null }) : [];
}

function endOf(before: TransactionRecord, events: Event[]): TransactionRecord {
  const last = events.at(-1);
  return last ? { ...before, sequence: last.sequence, head: last.hash } : before;
}

interface Chaining {
  version: number;
  now: Date;
  payloadHash: string | null;
}

/** The first entry of a change that forwards data carries the hash of what was forwarded. */
function chainAll(
  before: TransactionRecord,
  drafts: EventDraft[],
  { version, now, payloadHash }: Chaining,
): Event[] {
  let previousHash = before.sequence > 0 ? before.head : null;
  return drafts.map((draft, index) => {
    const event = chainEvent(index === 0 ? { ...draft, payloadHash } : draft, {
      subjectId: before.id,
      tenantId: before.tenantId,
      version,
      sequence: before.sequence + index + 1,
      previousHash,
      id: newId(now),
      createdAt: now,
    });
    previousHash = event.hash;
    return event;
  });
}

/** The salt keeps a guessed name from being confirmed by the hash alone. */
function payloadVersion(payload: SentData): {
  hash: string;
  content: { salt: string; payload: unknown };
} {
  const salt = randomBytes(16).toString('hex');
  const hash = createHmac('sha256', salt).update(canonicalJson(payload)).digest('hex');
  return { hash, content: { salt, payload } };
}

function sealVersion(open: OpenTransaction, record: TransactionRecord, eventId: string, content: unknown) {
  return { eventId, payload: open.key.seal(sealingContext.transaction.payload(record, eventId), content) };
}

const SET_LIST = changingColumns
  .map((column) => `${column.name} = r.${column.name}${column.cast ? `::${column.cast}` : ''}`)
  .join(', ');
const updateColumns: Column<SealedTransaction>[] = [
  ...changingColumns,
  { name: 'id', type: 'uuid', value: (row) => row.record.id },
  { name: 'tenant_id', type: 'uuid', value: (row) => row.record.tenantId },
];
const UPDATE = `update transactions t set ${SET_LIST} from ${unnestRows(updateColumns)}
  where t.id = r.id and t.tenant_id = r.tenant_id and t.version = r.version - 1`;

/** Compare-and-set on the version: whoever changed a record without its lock makes this fail, not overwrite. */
async function updateRows(tx: Queryable, records: SealedTransaction[]): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'update-transactions',
    text: UPDATE,
    values: unnestValues(updateColumns, records),
  });
  if (rowCount !== records.length) throw new Error('a transaction was changed without its lock');
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
  await tx.query(insertSql('payload_versions', columns), unnestValues(columns, versions));
}

function snapshotOf({ write, sealed }: PreparedWrite): TransactionSnapshot[] {
  const isReleased = write.open.record.releaseId !== null && sealed.record.deletedAt === null;
  return write.change.notify || isReleased ? [{ record: sealed.record, key: sealed.key }] : [];
}
