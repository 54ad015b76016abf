import type { Event } from '../../domain/events/event.ts';
import type { Queryable } from '../postgres.ts';
import { decisionHash, type HashedDecision } from '../../domain/rules/decision-hash.ts';
import { SealedValueError } from '../vault/cipher.ts';
import { DeploymentMismatch } from '../vault/master-key.ts';
import { NoTenantKeys } from '../vault/tenant-keys.ts';
import { LARGEST_VALUE, readableText } from './readable-columns.ts';
import type { EventFault, EventLogs, LoggedRecord, RecordLog } from './event-report.ts';
import { isOfDecision, mayBeOfUnnamed, namedDecision } from './named-decision.ts';

/** Stored rule decisions, as their rows are now. */
export interface StoredDecisions {
  /** Hashes by the ids of those that the events name. */
  hashes: ReadonlyMap<string, string>;
  /** How many there are of a record that no event names, by its id. */
  unnamed: ReadonlyMap<string, number>;
}

export interface CheckedDecisions {
  faults: EventFault[];
  /** Decisions whose event holds their hash. */
  covered: number;
  /** Events of decisions that were written before events held hashes, and what was erased with its record. */
  notCovered: number;
}

// Hashed by the database, so that the facts and traces of many records are not read.
const READ = `
  select id, transaction_id as "transactionId", ${readableText('direction')} as direction, configuration_id as "configurationId", version,
    ${readableText('decision')} as decision, ${readableText('decided_by')} as "decidedBy", rests_on_sanctions as "restsOnSanctions",
    case when octet_length(array_to_string(spent, '')) > ${LARGEST_VALUE} then null else spent end as spent,
    to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "evaluatedAt",
    encode(sha256(facts), 'hex') as facts, encode(sha256(trace), 'hex') as trace
  from rule_decisions where id = any($1::uuid[])`;

const COUNT_UNNAMED = `
  select transaction_id as id, count(*)::int as unnamed from rule_decisions
  where transaction_id = any($1::uuid[]) and (id is null or id <> all($2::uuid[])) group by transaction_id`;

/** Reads the rule decisions of records: those that the events name, and how many others there are. */
export async function readDecisions(
  db: Queryable,
  recordIds: readonly string[],
  events: readonly Event[],
): Promise<StoredDecisions> {
  const ids = events.map(namedDecision).flatMap((named) => (named ? [named.id] : []));
  const hashed = ids.length > 0 ? (await db.query<HashedDecision>(READ, [ids])).rows : [];
  const { rows } = await db.query<{ id: string; unnamed: number }>(COUNT_UNNAMED, [recordIds, ids]);
  return {
    hashes: new Map(hashed.map((row) => [row.id, decisionHash(row)])),
    unnamed: new Map(rows.map(({ id, unnamed }) => [id, unnamed])),
  };
}

/**
 * Compares the rule decisions of records with the hashes in the events that name them. Each decision is stored with one event, which
 * names it; those of versions before do not, so that so many others may be there.
 */
export async function checkDecisions(
  vault: EventLogs['vault'],
  logs: readonly RecordLog[],
  { hashes, unnamed }: StoredDecisions,
): Promise<CheckedDecisions> {
  const found: CheckedDecisions = { faults: [], covered: 0, notCovered: 0 };
  for (const { record, events } of logs) {
    const added = (unnamed.get(record.id) ?? 0) - events.filter(mayBeOfUnnamed).length;
    if (added > 0 && record.subject_kind === 'TRANSACTION')
      found.faults.push({ id: record.id, fault: `rule decisions that no event explains: ${added}` });
    const decided = events.filter(isOfDecision);
    if (decided.length === 0) continue;
    const left = await whatIsLeft(vault, record);
    for (const event of decided) {
      const named = namedDecision(event);
      if (named && left === 'ALL') found.covered += 1;
      else found.notCovered += 1;
      const fault = named && decisionFault(named, hashes.get(named.id), left);
      if (fault) found.faults.push({ id: record.id, fault: `${fault} of entry ${event.sequence}` });
    }
  }
  return found;
}

/**
 * Erasing a record empties what its decisions have read and keeps their rows, erasing a tenant removes them once all of its
 * records are erased: destroyed keys alone excuse nothing.
 */
type Left = 'ALL' | 'ROWS' | 'NOTHING';

async function whatIsLeft(vault: EventLogs['vault'], record: LoggedRecord): Promise<Left> {
  if (record.record_key?.length !== 0) return 'ALL';
  try {
    await vault.tenantKeys(record.tenant_id);
  } catch (error) {
    if (error instanceof NoTenantKeys) return 'NOTHING';
    if (!(error instanceof SealedValueError || error instanceof DeploymentMismatch)) throw error;
  }
  return 'ROWS';
}

function decisionFault({ hash }: { hash: string }, stored: string | undefined, left: Left): string | null {
  if (left === 'NOTHING') return null;
  if (stored === undefined) return 'the rule decision is missing';
  return left === 'ROWS' || stored === hash ? null : 'the rule decision was changed';
}
