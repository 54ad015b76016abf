import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../domain/events/event.ts';
import type { VerificationChange } from '../../domain/verifications/change.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import {
  asksForAddress,
  withAddressWarnings,
  type AddressWarning,
} from '../../domain/verifications/address-warnings.ts';
import { mayMove } from '../../domain/verifications/state.ts';
import { sealChange } from '../records/seal-change.ts';
import { recordRows } from '../statistics/record-rows.ts';
import { VERIFICATIONS } from '../statistics/measures.ts';
import type { Database } from '../database.ts';
import { isReuseSource } from '../../domain/verifications/reuse.ts';
import { closeWatches } from '../chain-scan/watches.ts';
import { dateRefusals } from './date-refusals.ts';
import { eventColumns } from '../events/event-columns.ts';
import { keepListVersions } from '../sanctions-lists/version-lock.ts';
import { wakeSelfHosted, type VerifiedWallet } from '../transactions/wake-self-hosted.ts';
import { OUTBOX_COLUMNS, outboxColumns, toOutboxEntry, type OutboxRow, type OutboxEntry } from '../outbox.ts';
import { columnNames, columnValues, unnestRows, unnestValues, type Column } from '../columns.ts';
import {
  DELIVERY_PARAMETERS,
  deliveryParts,
  deliveryValues,
  type NewDelivery,
} from '../webhooks/insert-deliveries.ts';
import { findAddressWarnings } from './find-address-warnings.ts';
import { verificationEntry } from './verification-entry.ts';
import { withdrawSources } from './reuses.ts';
import { verificationTable, type OpenVerification, type SealedVerification } from './row.ts';
import { showVerification } from './show-verification.ts';
import type { Queryable } from '../postgres.ts';

/** A change of a locked verification, or a new verification. */
export interface VerificationWrite {
  open: OpenVerification;
  change: VerificationChange;
  isNew: boolean;
}

/** The stored verifications, in the order of the writes. */
export interface WrittenVerifications {
  opened: OpenVerification[];
  /** Outbox entries to deliver after the commit. */
  outbox: OutboxEntry[];
}

/** A write with everything that is stored for it: encrypted and chained. */
export interface PreparedWrite {
  before: VerificationRecord;
  change: VerificationChange;
  isNew: boolean;
  sealed: SealedVerification;
  events: Event[];
}

/**
 * Writes changed verifications, each with its events, webhook snapshot and outbox entry, in one statement. Must run
 * inside the database transaction that locked them. Throws for a status that the state table does not allow.
 */
export async function writeVerifications(
  db: Database,
  tx: Queryable,
  writes: readonly VerificationWrite[],
  now: Date,
): Promise<WrittenVerifications> {
  const addresses = writes.filter(isAboutAddress).map(({ open }) => open.record.addressNormal);
  if (addresses.length > 0) await keepListVersions(tx);
  const warnings = await findAddressWarnings(tx, addresses);
  const prepared = await Promise.all(
    writes.map(async (write) => {
      const known = warnings.get(write.open.record.addressNormal) ?? [];
      return await prepareWrite(db, write, known, now);
    }),
  );
  const outbox = await writePrepared(db, tx, prepared, now);
  return {
    opened: prepared.map(({ sealed: { record, key, wrappedKey } }) => ({ record, key, wrappedKey })),
    outbox,
  };
}

/** Stores writes that were prepared before the transaction began; each record must be locked and unchanged. */
export async function writePrepared(
  db: Database,
  tx: Queryable,
  prepared: readonly PreparedWrite[],
  now: Date,
): Promise<OutboxEntry[]> {
  const fresh = prepared.filter((item) => item.isNew);
  const stored = prepared.filter((item) => !item.isNew);
  const closed = stored.filter(endsWatch);
  await closeWatches(
    tx,
    closed.map(({ sealed }) => sealed.record.id),
  );
  await dateRefusals(
    tx,
    stored.map(({ before, change }) => ({ before, after: change.after })),
    now,
  );
  return [
    ...(fresh.length > 0 ? await writeAll(db, tx, { statement: insertion, items: fresh, now }) : []),
    ...(stored.length > 0 ? await writeAll(db, tx, { statement: update, items: stored, now }) : []),
    ...(await wakeDependents(tx, prepared, now)),
  ];
}

/** Wakes the transfers that wait for such a verification, and the verifications that reuse a withdrawn one. */
async function wakeDependents(
  tx: Queryable,
  prepared: readonly PreparedWrite[],
  now: Date,
): Promise<OutboxEntry[]> {
  const withdrawn = prepared.filter(
    ({ before, isNew, sealed: { record } }) => !isNew && isReuseSource(before) && !isReuseSource(record),
  );
  const woken = await wakeSelfHosted(tx, prepared.flatMap(wakingWallet), now);
  const warned = await withdrawSources(
    tx,
    withdrawn.map(({ sealed }) => sealed.record.id),
    now,
  );
  return [...woken, ...warned];
}

/** The wallet of a verification that is new, or of which something has changed that rules read or choose it by. */
function wakingWallet({ before, isNew, sealed: { record } }: PreparedWrite): VerifiedWallet[] {
  const { tenantId, addressNormal, blockchainKey, status, personal } = record;
  if (!isNew && isDeepStrictEqual(ruledBy(record), ruledBy(before))) return [];
  const isProven = status === 'VERIFIED' && (isNew || before.status !== 'VERIFIED');
  const namesOwner = isProven && personal.declaration !== undefined;
  return [{ tenantId, addressNormal, blockchainKey, isProven, namesOwner }];
}

function ruledBy({ status, flow, deletedAt, riskScore, warnings }: VerificationRecord): unknown[] {
  return [status, flow, deletedAt, riskScore, warnings];
}

function isAboutAddress({ open, change, isNew }: VerificationWrite): boolean {
  return asksForAddress(open.record, change, { isNew });
}

/**
 * Prepares a write. A new verification and an accepted proof get `warnings`, which lists and labels give to the address.
 * Loads the tenant's keys, otherwise without I/O.
 */
export async function prepareWrite(
  db: Database,
  write: VerificationWrite,
  warnings: readonly AddressWarning[],
  now: Date,
): Promise<PreparedWrite> {
  const { open, isNew } = write;
  const before = open.record;
  const change = isAboutAddress(write) ? withAddressWarnings(write.change, warnings) : write.change;
  if (!isNew) requireMove(before, change.after);
  const sealing = { subjectKind: 'VERIFICATION' as const, open, change, isNew, now };
  return { before, change, isNew, ...(await sealChange(db, verificationTable, sealing)) };
}

function requireMove(before: VerificationRecord, after: VerificationRecord): void {
  if (before.status === after.status || mayMove(before.status, after.status)) return;
  throw new Error(`a verification must not move from ${before.status} to ${after.status} (${before.id})`);
}

/**
 * True when the satoshi test no longer waits for a transfer: the verification is decided, or its time was ended by
 * hand.
 */
function endsWatch({ change, isNew, sealed: { record } }: PreparedWrite): boolean {
  if (isNew || record.satoshiDepositNormal === null) return false;
  return record.status !== 'PENDING' || change.events.some(({ type }) => type === 'TIMER_FIRED');
}

const { inserted, updated } = recordRows('verifications', verificationTable, VERIFICATIONS);
const insertion = statementOf('insert-verifications', verificationTable.columns, inserted);
const update = statementOf('update-verifications', verificationTable.updateColumns, updated);

interface WriteStatement {
  name: string;
  text: string;
  columns: readonly Column<SealedVerification>[];
}

/** One statement for rows, events, webhooks and outbox, since each further round trip to the database costs most. */
function statementOf(
  name: string,
  columns: readonly Column<SealedVerification>[],
  writeRows: string,
): WriteStatement {
  const queued = outboxColumns(new Date(0));
  const loggedAt = columns.length + 1;
  const deliveriesAt = loggedAt + eventColumns.length;
  const queuedAt = deliveriesAt + DELIVERY_PARAMETERS;
  const text = `
    with ${writeRows},
    logged as (
      insert into events (${columnNames(eventColumns)})
      select ${columnValues(eventColumns)} from ${unnestRows(eventColumns, loggedAt)}
    ), ${deliveryParts(deliveriesAt)}, queued as (
      insert into outbox (${columnNames(queued)})
      select ${columnValues(queued)} from ${unnestRows(queued, queuedAt)}
      returning ${OUTBOX_COLUMNS}
    )
    select (select count(*) from written) as written, entry.*
    from (select 1) always left join (select * from delivery_entries union all select * from queued) entry on true`;
  return { name, text, columns };
}

interface StatementRun {
  statement: WriteStatement;
  items: readonly PreparedWrite[];
  now: Date;
}

async function writeAll(
  db: Database,
  tx: Queryable,
  { statement, items, now }: StatementRun,
): Promise<OutboxEntry[]> {
  const { name, text, columns } = statement;
  const deliveries = items.filter((item) => item.change.notify).map((item) => snapshotOf(db, item.sealed));
  const outbox = items
    .filter((item) => item.change.wakesWorkflow)
    .map((item) => verificationEntry(item.sealed.record));
  const { rows } = await tx.query<Partial<OutboxRow> & { written: number }>({
    name,
    text,
    values: [
      ...unnestValues(
        columns,
        items.map((item) => item.sealed),
      ),
      ...unnestValues(
        eventColumns,
        items.flatMap((item) => item.events),
      ),
      ...deliveryValues(deliveries, now),
      ...unnestValues(outboxColumns(now), outbox),
    ],
  });
  if (rows[0]?.written !== items.length) throw new Error('a verification was changed without its lock');
  return rows.flatMap((row) => (isOutboxRow(row) ? [toOutboxEntry(row)] : []));
}

/** The statement returns one row, with the number of written records, even without any outbox entry. */
function isOutboxRow(row: Partial<OutboxRow>): row is OutboxRow {
  return typeof row.id === 'number';
}

function snapshotOf(db: Database, open: OpenVerification): NewDelivery {
  const { record, key } = open;
  return {
    kind: 'wallet-verification',
    tenantId: record.tenantId,
    resourceId: record.id,
    resourceVersion: record.version,
    // Only the deletion itself is still reported for a deleted record.
    masked: record.deletedAt !== null,
    key,
    body: showVerification(db, open),
  };
}
