import type pg from 'pg';
import type { Event } from '../../domain/events/event.ts';
import { chainFault, NOT_ANCHORED } from '../../domain/events/chain.ts';
import { inSnapshot, type Queryable } from '../postgres.ts';
import { toEvent, type EventRow } from './event-columns.ts';
import type { ChainReport, EventLogs, LoggedRecord, RecordLog } from './event-report.ts';
import { findDoubles } from './find-doubles.ts';
import { findOrphans } from './find-orphans.ts';
import { checkDecisions, readDecisions, type StoredDecisions } from './check-decisions.ts';
import { checkPayloads, readPayloads } from './check-payloads.ts';
import { readableBytes, readableColumns, readableText } from './readable-columns.ts';
import { TRANSFER } from './transfer-fault.ts';

const BATCH = 500;

/** A record by which the walk through all records continues. */
type RecordRef = Pick<LoggedRecord, 'id'> & { subject_kind: string };

/** A position before every record, including one with the lowest id. */
const FIRST: RecordRef = { id: '00000000-0000-0000-0000-000000000000', subject_kind: '' };

/**
 * Verifies the event logs of all transactions, verifications and claims, including deleted ones, or of one: finds entries that
 * were changed, removed, inserted or cut off the end, also with a head written anew, events without a record, records
 * without events, records of one id, a status or deletion that no event explains, a sent payload that its hash does not
 * fit or that is stored twice, a transfer whose columns do not fit what was sent, and a rule decision that is missing or that
 * the hash in its event does not fit. Does not find a log that was put
 * back as a whole, with its head and anchor, to what it was earlier on the same day: the seals of the days show that for
 * earlier days. Reads in batches; `onProgress` gets the number checked so far.
 */
export async function verifyEvents(
  db: EventLogs,
  only?: string,
  onProgress: (checked: number) => void = () => undefined,
): Promise<ChainReport> {
  const report: ChainReport = {
    checked: 0,
    faults: [],
    erased: [],
    decisions: { covered: 0, notCovered: 0 },
  };
  let after = FIRST;
  for (;;) {
    const { logs, payloads, decisions } = await readBatch(db.pool, after, only);
    const last = logs.at(-1)?.record;
    if (!last) break;
    for (const found of await checkTwice(db, { logs, payloads, decisions })) add(report, found);
    onProgress(report.checked);
    after = last;
  }
  report.faults.push(...(await findOrphans(db.pool, only)), ...(await findDoubles(db.pool, only)));
  if (only !== undefined && report.checked === 0 && report.faults.length === 0) {
    report.faults.push({ id: only, fault: 'there is no record of this id, nor events of one' });
  }
  return report;
}

function add(report: ChainReport, { checked, faults, erased, decisions }: ChainReport): void {
  report.checked += checked;
  report.faults.push(...faults);
  report.erased.push(...erased);
  report.decisions.covered += decisions.covered;
  report.decisions.notCovered += decisions.notCovered;
}

/**
 * Keys are read after the moment of which the records are: of one that was erased meanwhile none opens. So a record with a fault
 * is read and checked once more, and the second result counts.
 */
async function checkTwice(db: EventLogs, batch: LogBatch): Promise<ChainReport[]> {
  const found = await checkBatch(db, batch);
  if (found.faults.length === 0) return [found];
  const faulty = new Set(found.faults.map(({ id }) => id));
  const isFaulty = ({ record }: RecordLog) => faulty.has(record.id);
  const reports = [await checkBatch(db, { ...batch, logs: batch.logs.filter((log) => !isFaulty(log)) })];
  // Of two records with one id the other may be in another batch.
  const refs = new Set(batch.logs.filter(isFaulty).map(refOf));
  for (const id of faulty) {
    const again = await readBatch(db.pool, FIRST, id);
    // Keys that were destroyed, or sealed by another master key, since they were read are not used again.
    for (const { record } of again.logs) db.vault.dropTenant(record.tenant_id);
    reports.push(await checkBatch(db, { ...again, logs: again.logs.filter((log) => refs.has(refOf(log))) }));
  }
  return reports;
}

const refOf = ({ record }: RecordLog): string => `${record.subject_kind} ${record.id}`;

async function checkBatch(
  db: EventLogs,
  { logs, payloads, decisions: stored }: LogBatch,
): Promise<ChainReport> {
  const ofLogs = logs.flatMap((log) => logFaults(db, log).map((fault) => ({ id: log.record.id, fault })));
  const sent = await checkPayloads(db.vault, logs, payloads);
  const { faults, covered, notCovered } = await checkDecisions(db.vault, logs, stored);
  return {
    checked: logs.length,
    faults: [...ofLogs, ...sent.faults, ...faults],
    erased: sent.erased,
    decisions: { covered, notCovered },
  };
}

interface LogBatch {
  logs: RecordLog[];
  payloads: Map<string, Buffer>;
  decisions: StoredDecisions;
}

/** Reads records with their events and payloads at one moment, so that what is written meanwhile is no fault. */
async function readBatch(pool: pg.Pool, after: RecordRef, only: string | undefined): Promise<LogBatch> {
  return await inSnapshot(pool, async (tx) => {
    const records = await readRecords(tx, after, only);
    const logs = await readLogs(tx, records);
    const events = logs.flatMap((log) => log.events);
    const ids = records.map(({ id }) => id);
    return {
      logs,
      payloads: await readPayloads(tx, events),
      decisions: await readDecisions(tx, ids, events),
    };
  });
}

/** A log that cannot even be compared, such as one with values of absurd depth, hides no fault of the others. */
function logFaults(db: EventLogs, { record, events }: RecordLog): string[] {
  try {
    const faults = [
      logFault(db, record, events),
      statusFault(record, events),
      deletionFault(record, events),
      erasureFault(record, events),
    ];
    return faults.filter((fault) => fault !== null);
  } catch (error) {
    return [`the log cannot be read: ${error instanceof Error ? error.name : 'unknown error'}`];
  }
}

function logFault({ vault }: EventLogs, record: LoggedRecord, events: readonly Event[]): string | null {
  if (events.length === 0) return 'the record has no events';
  return chainFault(events, record) ?? anchorFault(vault, record);
}

function anchorFault(vault: EventLogs['vault'], record: LoggedRecord): string | null {
  const { head_mac: mac, id, tenant_id, subject_kind, sequence, head } = record;
  if (mac === null) return 'the head has no anchor';
  const anchored = { subjectKind: subject_kind, subjectId: id, tenantId: tenant_id, sequence, head };
  return vault.heads.isMacOf(anchored, mac) ? null : NOT_ANCHORED;
}

/** The status of a record is that of the last event that moved it. */
function statusFault({ status }: LoggedRecord, events: readonly Event[]): string | null {
  const explained = events.findLast(({ newStatus }) => newStatus !== null)?.newStatus;
  if (events.length === 0 || explained === status) return null;
  return `no event explains the status ${status}: the last one is ${explained ?? 'unknown'}`;
}

/** A deleted or erased record is hidden from its tenant, so an event has to say who did that. */
function deletionFault({ is_deleted }: LoggedRecord, events: readonly Event[]): string | null {
  const isLogged = events.some(({ type }) => type === 'DELETED' || type === 'ERASED');
  if (events.length === 0 || is_deleted === isLogged) return null;
  return is_deleted
    ? 'the record is deleted, which no event explains'
    : 'the record is not deleted, as its events say';
}

/**
 * Without its key nothing that was sent can be compared with its hash: who destroys it hides what was changed. What is marked as erased
 * nobody can change any more, and no copy for a customer or an authority has it.
 */
function erasureFault({ record_key: key, is_erased }: LoggedRecord, events: readonly Event[]): string | null {
  if (events.length === 0) return null;
  const isLogged = events.some(({ type }) => type === 'ERASED');
  if (key?.length === 0 && !isLogged) return 'the key of the record was destroyed, which no event explains';
  if (is_erased === null || is_erased === isLogged) return null;
  return is_erased
    ? 'the record is marked as erased, which no event explains'
    : 'the record is not marked as erased, as its events say';
}

async function readRecords(
  db: Queryable,
  after: RecordRef,
  only: string | undefined,
): Promise<LoggedRecord[]> {
  const bytes = ['head', 'head_mac', 'record_key']
    .map((name) => `${readableBytes(name)} as ${name}`)
    .join(', ');
  const fixed = `id, tenant_id, ${readableText('status')} as status, sequence, ${bytes}`;
  const columns = `${fixed}, deleted_at is not null as is_deleted, erased_at is not null as is_erased`;
  const columnsOfClaims = `${fixed}, erased_at is not null as is_deleted, null::boolean as is_erased`;
  const { rows } = await db.query<LoggedRecord>(
    `select * from (
       select 'TRANSACTION' as subject_kind, ${columns}, ${TRANSFER} as transfer from transactions r
       union all select 'VERIFICATION', ${columns}, null from verifications r
       union all select 'CLAIM', ${columnsOfClaims}, null from claims r
     ) records where (id, subject_kind) > ($1, $2) and ($4::uuid is null or id = $4)
     order by id, subject_kind limit $3`,
    [after.id, after.subject_kind, BATCH, only],
  );
  return rows;
}

async function readLogs(db: Queryable, records: readonly LoggedRecord[]): Promise<RecordLog[]> {
  const { rows } = await db.query<EventRow>(
    `select ${readableColumns} from events where subject_id = any($1::uuid[]) order by subject_id, sequence`,
    [records.map((record) => record.id)],
  );
  const logs = new Map<string, RecordLog>(
    records.map((record) => [`${record.subject_kind} ${record.id}`, { record, events: [] }]),
  );
  for (const event of rows.map(toEvent))
    logs.get(`${event.subjectKind} ${event.subjectId}`)?.events.push(event);
  return [...logs.values()];
}
