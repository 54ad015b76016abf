import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { releaseRecord } from '../../domain/transactions/lifecycle/release.ts';
import type { PairChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isFinal } from '../../domain/transactions/state.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { settleOpenPairs } from '../message-pairs/settle-pairs.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import type { RecordRow } from '../records/record-table.ts';
import { keepComparisons } from '../sanctions-lists/version-lock.ts';
import { comparedWhenConfirmed } from '../transactions/answered-behind.ts';
import { writeOfRelated } from '../transactions/change-transaction.ts';
import { openRow } from '../transactions/find-transaction.ts';
import { READ_COLUMNS, type OpenTransaction } from '../transactions/row.ts';
import { writeChanges, type TransactionWrite } from '../transactions/write-changes.ts';
import { keepWaitFacts } from './keep-wait-facts.ts';
import { isUnchangedBasis, type JudgementBasis } from './judgement-basis.ts';
import { storeJudgements, type TransactionJudgement } from './settle-screening.ts';

/** Of the release that the records belong to. */
interface ReleaseRef {
  id: string;
  tenantId: string;
}

/** A record to be released, as it was read, with the verdict on it. */
export interface JudgedRelease {
  open: OpenTransaction;
  /** Null for a record that needs no verdict, and for one that has to wait for it. */
  settlement: TransactionJudgement | null;
}

/** The next records that a release has to make visible, or those of them that are named. */
export async function readForRelease(
  db: Database,
  { id, tenantId }: ReleaseRef,
  { limit, only = null }: { limit: number; only?: readonly string[] | null },
): Promise<OpenTransaction[]> {
  const { rows } = await db.pool.query<RecordRow>(
    `select ${READ_COLUMNS} from transactions
     where tenant_id = $1 and release_id = $2 and ($3::uuid[] is null or id = any($3)) order by id limit $4`,
    [tenantId, id, only, limit],
  );
  return await openAll(db, rows);
}

export interface ReleasedRecords {
  /** Ids of the released records; one that changed after it was judged is not among them. */
  releasedIds: string[];
  outbox: OutboxEntry[];
}

/**
 * Makes records visible, each with its verdict, in one transaction: records, events, webhooks, search entries and
 * screenings, and the sender's record where the verdict decides on it. STALE, with nothing written, when lists, rules
 * or settings have changed since: judge again.
 */
export async function releaseRecords(
  db: Database,
  release: ReleaseRef,
  judged: readonly JudgedRelease[],
  now: Date,
): Promise<ReleasedRecords | 'STALE'> {
  return await inTransaction(db.pool, async (tx) => {
    const settlements = judged.flatMap(({ settlement }) => settlement ?? []);
    if (!(await keepWaitFacts(tx, settlements, db))) return 'STALE';
    await keepComparisons(tx, [release.tenantId]);
    return await releaseInTransaction(db, tx, { release, judged, now });
  });
}

interface ReleaseInput {
  release: ReleaseRef;
  judged: readonly JudgedRelease[];
  now: Date;
}

async function releaseInTransaction(
  db: Database,
  tx: pg.PoolClient,
  { release, judged, now }: ReleaseInput,
): Promise<ReleasedRecords | 'STALE'> {
  const byId = new Map(judged.map((item) => [item.open.record.id, item]));
  const pairs = await lockPairs(tx, release, [...byId.keys()]);
  const locked = (await lockRecords(db, tx, release, [...byId.keys()])).flatMap((open) => {
    const settlement = byId.get(open.record.id)?.settlement ?? null;
    return settlement === null || isAsJudged(open.record, settlement) ? [{ open, settlement }] : [];
  });
  if (locked.length === 0) return { releasedIds: [], outbox: [] };
  const counterparts = await lockCounterparts(db, tx, pairs, locked.filter(mayDecide));
  // Checked after the records are locked: rules and settings may have changed during the wait for the locks.
  for (const basis of basesOf(locked)) if (!(await isUnchangedBasis(tx, basis))) return 'STALE';
  const changes: ReleaseChange[] = [];
  for (const { open, settlement } of locked) {
    const counterpart = counterparts.get(open.record.pairId ?? '') ?? null;
    const released = releaseRecord(
      open.record,
      counterpart?.record ?? null,
      settlement?.verdict ?? null,
      now,
    );
    const answered = { open: counterpart, change: released.counterpart };
    const compared = await comparedWhenConfirmed(tx, answered, now);
    changes.push({ open, counterpart, change: { ...released, counterpart: compared } });
  }
  const related: TransactionWrite[] = [];
  for (const { open, counterpart, change } of changes) {
    const before = { own: open.record, counterpart: counterpart?.record ?? null };
    const write = await writeOfRelated(db, tx, { before, decision: change }, now);
    if (write) related.push(write);
  }
  const { outbox } = await writeChanges(db, tx, [...changes.flatMap(writesOf), ...related], now);
  await settlePairs(tx, changes, now);
  await storeJudgements(
    tx,
    locked.flatMap(({ settlement }) => settlement ?? []),
  );
  return { releasedIds: locked.map(({ open }) => open.record.id), outbox };
}

/** A record is released as it was judged, or judged again: the screening was made of this very version. */
function isAsJudged({ version }: TransactionRecord, { open }: TransactionJudgement): boolean {
  return version + 1 === open.record.version;
}

/** Any other verdict leaves the sender's record as it is. */
function mayDecide({ settlement }: JudgedRelease): boolean {
  const outcome = settlement?.verdict.outcome;
  return outcome === 'PROCEED' || outcome === 'BLOCK';
}

function basesOf(judged: readonly JudgedRelease[]): JudgementBasis[] {
  const distinct: JudgementBasis[] = [];
  for (const { settlement } of judged) {
    if (!settlement || distinct.some((basis) => isDeepStrictEqual(basis, settlement.basis))) continue;
    distinct.push(settlement.basis);
  }
  return distinct;
}

interface IncomingPair {
  id: string;
  outgoing_tenant_id: string;
  outgoing_id: string;
}

// The pair before its records, and everything in the order of ids: as every other writer of a pair, and as another
// worker on the same release.
async function lockPairs(tx: Queryable, release: ReleaseRef, ids: string[]): Promise<IncomingPair[]> {
  const { rows } = await tx.query<IncomingPair>(
    `select p.id, p.outgoing_tenant_id, p.outgoing_id from message_pairs p
     where p.id in (select pair_id from transactions where tenant_id = $1 and release_id = $2 and id = any($3::uuid[]))
     order by p.id for no key update`,
    [release.tenantId, release.id, ids],
  );
  return rows;
}

async function lockRecords(
  db: Database,
  tx: Queryable,
  release: ReleaseRef,
  ids: string[],
): Promise<OpenTransaction[]> {
  const { rows } = await tx.query<RecordRow>(
    `select ${READ_COLUMNS} from transactions
     where tenant_id = $1 and release_id = $2 and id = any($3::uuid[]) order by id for no key update`,
    [release.tenantId, release.id, ids],
  );
  return await openAll(db, rows);
}

/** The senders' records by the id of the pair; deleted ones are left out. */
async function lockCounterparts(
  db: Database,
  tx: Queryable,
  pairs: readonly IncomingPair[],
  deciding: readonly JudgedRelease[],
): Promise<Map<string, OpenTransaction>> {
  const pairIds = new Set(deciding.map(({ open }) => open.record.pairId));
  const chosen = pairs.filter(({ id }) => pairIds.has(id));
  if (chosen.length === 0) return new Map();
  const { rows } = await tx.query<RecordRow>(
    `select ${READ_COLUMNS} from transactions
     where (tenant_id, id) in (select * from unnest($1::uuid[], $2::uuid[])) and deleted_at is null
     order by id for no key update`,
    [chosen.map((pair) => pair.outgoing_tenant_id), chosen.map((pair) => pair.outgoing_id)],
  );
  const opened = await openAll(db, rows);
  return new Map(opened.map((open) => [open.record.pairId ?? '', open]));
}

async function openAll(db: Database, rows: readonly RecordRow[]): Promise<OpenTransaction[]> {
  const opened: OpenTransaction[] = [];
  for (const row of rows) opened.push(await openRow(db, row));
  return opened;
}

interface ReleaseChange {
  open: OpenTransaction;
  counterpart: OpenTransaction | null;
  change: PairChange;
}

function writesOf({ open, counterpart, change }: ReleaseChange): TransactionWrite[] {
  const sides = [
    { open, change: change.own },
    { open: counterpart, change: change.counterpart },
  ];
  return sides.flatMap((side) =>
    side.open && side.change
      ? [{ open: side.open, change: side.change, isNew: false, forwarded: change.forwarded }]
      : [],
  );
}

/** Stores the status of records that their verdict has decided in their pairs; the first final status counts. */
async function settlePairs(tx: Queryable, changes: readonly ReleaseChange[], now: Date): Promise<void> {
  const decided = changes.flatMap(({ open, change: { own } }) =>
    own && open.record.pairId !== null && isFinal(own.after.status)
      ? [{ id: open.record.pairId, outcome: own.after.status }]
      : [],
  );
  await settleOpenPairs(tx, decided, now);
}
