import type { Event, EventDraft } from '../../domain/events/event.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { eventColumns } from '../events/event-columns.ts';
import { claimColumns, isKeyFree, type KeyClaim } from '../idempotency/idempotency.ts';
import type { Idempotency } from '../idempotency/idempotent-call.ts';
import { naturalBatch } from '../natural-batch.ts';
import { outboxColumns, type NewOutboxEntry, type OutboxEntry } from '../outbox.ts';
import { pendingSearchFlusher } from '../pending-search.ts';
import type { Queryable } from '../postgres.ts';
import { deltasSql } from '../statistics/deltas.ts';
import { countedColumns, TRANSACTIONS } from '../statistics/measures.ts';
import {
  arrayParameter,
  columnNames,
  columnValues,
  unnestRows,
  unnestValues,
  type Column,
} from '../columns.ts';
import { lifecycleEntry } from './lifecycle-entry.ts';
import { sealingContext } from '../vault/contexts.ts';
import { transactionTable, type SealedTransaction } from './row.ts';
import { chainChange } from '../records/chain-changes.ts';

export interface CreateRequest {
  record: TransactionRecord;
  event: EventDraft;
  /** What is logged after that event. */
  nextEvents?: EventDraft[];
  idempotency: Idempotency | null;
  /** The response body, stored for repeats of the same request. */
  answer(record: TransactionRecord): unknown;
}

export type CreateOutcome =
  /** `outbox` is empty where no workflow is needed. */
  | { kind: 'CREATED'; record: TransactionRecord; outbox: OutboxEntry[] }
  /** The Idempotency-Key was used before, or a request under it is not over; nothing was written. */
  | { kind: 'REPEATED' }
  /** Another transaction has the reference, or resubmits the same one; nothing was written. */
  | { kind: 'TAKEN'; what: 'REFERENCE' | 'RESUBMISSION' };

/** A request with everything that is stored for it: encrypted, chained, with its search tokens. */
export interface PreparedCreate {
  transaction: SealedTransaction;
  events: Event[];
  claim: KeyClaim | null;
  entry: NewOutboxEntry | null;
}

/**
 * Writes new transactions. Row, first event, outbox row and stored response go in one statement, and requests that
 * arrive together share a batch. A reference that is taken fails only its own request, as TAKEN. Of two that take one at the same
 * time the later violates the index: the batch is then stored anew in halves.
 */
export function transactionCreator(db: Database): (request: CreateRequest) => Promise<CreateOutcome> {
  const flush = pendingSearchFlusher(db.pool);
  const write = naturalBatch<PreparedCreate, CreateOutcome>({
    maxSize: 128,
    concurrency: 2,
    run: async (batch) => {
      const outcomes = await insertTransactions(db.pool, batch);
      flush(batch.length);
      return outcomes;
    },
  });
  return async (request) => await write(await prepareCreate(db, request));
}

/** Prepares what is stored for a request. Loads the tenant's keys, otherwise without I/O. */
export async function prepareCreate(db: Database, request: CreateRequest): Promise<PreparedCreate> {
  const { idempotency } = request;
  const keys = await db.vault.tenantKeys(request.record.tenantId);
  const { record, events } = chainChange<TransactionRecord>({
    vault: db.vault,
    subjectKind: 'TRANSACTION',
    before: request.record,
    after: request.record,
    drafts: [request.event, ...(request.nextEvents ?? [])],
    isNew: true,
    now: request.record.createdAt,
  });
  const open = transactionTable.withNewKey(record, keys);
  const claim = idempotency && {
    tenantId: record.tenantId,
    status: 201,
    body: open.key.seal(sealingContext.transaction.answer(record, idempotency.key), request.answer(record)),
    sealedBy: 'TRANSACTION' as const,
    sealedById: record.id,
    now: record.createdAt,
    ...idempotency,
  };
  const entry = record.wakeAt ? lifecycleEntry(record) : null;
  return { transaction: transactionTable.seal(open, keys), events, claim, entry };
}

// Every batch takes unique values in the same order: first all Idempotency-Keys, sorted, then the references, sorted.
// So two batches cannot deadlock.
const claims = claimColumns;
const created: Column<PreparedCreate>[] = [
  ...transactionTable.columns.map((column) => ({
    ...column,
    value: (row: PreparedCreate) => column.value(row.transaction),
  })),
  { name: 'needs_claim', type: 'boolean', value: (row) => row.claim !== null },
];
const logged = eventColumns;
const queued = outboxColumns;

const stored = transactionTable.columns;
const storedAt = claims.length + 1;
const loggedAt = storedAt + created.length;
const queuedAt = loggedAt + logged.length;
const anyTime = new Date(0);

/** SQL: the rows of a part of the statement, which is as fast planned anew as planned once. */
const rowsOf = <T>(columns: readonly Column<T>[], firstParameter: number) =>
  unnestRows(columns, firstParameter, { isCounted: true });

const claimOf = (name: string) => arrayParameter(claims, name);
const createdOf = (name: string) => arrayParameter(created, name, storedAt);

// A repeat is none of them, although the first request has taken its reference. One statement of many requests that fails has to be run
// again without whoever made it fail: whoever sent many such requests had those of all tenants wait.
const REFUSED = `
  select id, what from (
    select r.id, case
      when exists (select from transactions t where t.tenant_id = r.tenant_id and t.reference = r.reference) then 'REFERENCE'
      when exists (select from transactions t where t.resubmission_of = r.resubmission_of
        and t.status not in ('CANCELLED', 'DECLINED') and t.deleted_at is null) then 'RESUBMISSION' end as what
    from unnest(${createdOf('id')}, ${createdOf('tenant_id')}, ${createdOf('reference')}, ${createdOf('resubmission_of')})
      as r(id, tenant_id, reference, resubmission_of)
  ) found
  where what is not null and not exists (
    select from unnest(${claimOf('sealed_by_id')}, ${claimOf('tenant_id')}, ${claimOf('key')}) as c(id, tenant_id, key)
      join idempotency_keys k using (tenant_id, key) where c.id = found.id)`;

const INSERT = `
  with refused as materialized (${REFUSED}
  ), claimed as (
    insert into idempotency_keys (${columnNames(claims)})
    select ${columnValues(claims)} from ${rowsOf(claims, 1)}
    where ${isKeyFree()} and r.sealed_by_id not in (select id from refused)
    on conflict do nothing returning sealed_by_id
  ), taken as (
    select array_agg(sealed_by_id) as ids from claimed
  ), created as (
    insert into transactions (${columnNames(stored)})
    select ${columnValues(stored)} from taken, ${rowsOf(created, storedAt)}
    where (not r.needs_claim or r.id = any(taken.ids)) and r.id not in (select id from refused)
    returning id, ${countedColumns(TRANSACTIONS)}
  ), counted as (${deltasSql(TRANSACTIONS, { added: 'created' })}
  ), logged as (
    insert into events (${columnNames(logged)})
    select ${columnValues(logged)} from ${rowsOf(logged, loggedAt)}
    where r.subject_id in (select id from created)
  ), queued as (
    insert into outbox (${columnNames(queued(anyTime))})
    select ${columnValues(queued(anyTime))} from ${rowsOf(queued(anyTime), queuedAt)}
    where r.subject_id in (select id from created)
    returning id, subject_id
  )
  select created.id, queued.id as outbox_id, null as taken from created left join queued on queued.subject_id = created.id
  union all select id, null, what from refused`;

interface StoredRow {
  id: string;
  outbox_id: number | null;
  /** What another transaction has that this one was to have; null for a row that was created. */
  taken: 'REFERENCE' | 'RESUBMISSION' | null;
}

/** The statement that stores a batch. Returns a StoredRow for each row that it has created or refused. */
export function createStatement(batch: PreparedCreate[]): pg.QueryConfig<unknown[]> {
  const claimed = sortedBy(
    batch.flatMap((item) => item.claim ?? []),
    (claim) => claim.tenantId + claim.key,
  );
  const byReference = sortedBy(
    batch,
    ({ transaction: { record } }) => record.tenantId + (record.reference ?? ''),
  );
  const outbox = batch.flatMap((item) => item.entry ?? []);
  return {
    name: 'create-transactions',
    text: INSERT,
    values: [
      ...unnestValues(claims, claimed),
      ...unnestValues(created, byReference),
      ...unnestValues(
        logged,
        batch.flatMap((item) => item.events),
      ),
      ...unnestValues(queued(new Date()), outbox),
    ],
  };
}

/** Stores a batch in one statement; an outcome per item, in order. */
export async function insertTransactions(tx: Queryable, batch: PreparedCreate[]): Promise<CreateOutcome[]> {
  const { rows } = await tx.query<StoredRow>(createStatement(batch));
  const written = new Map(rows.map((row) => [row.id, row]));
  return batch.map((item) => outcomeOf(item, written.get(item.transaction.record.id)));
}

function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function outcomeOf(
  { transaction: { record }, entry }: PreparedCreate,
  row: StoredRow | undefined,
): CreateOutcome {
  if (!row) return { kind: 'REPEATED' };
  if (row.taken !== null) return { kind: 'TAKEN', what: row.taken };
  return {
    kind: 'CREATED',
    record,
    outbox: entry && row.outbox_id !== null ? [{ id: row.outbox_id, ...entry }] : [],
  };
}
