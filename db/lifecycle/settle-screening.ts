import type pg from 'pg';
import type { GuardCount } from '../../domain/rules/guard.ts';
import { NO_CHANGE } from '../../domain/transactions/change.ts';
import {
  delayScreening,
  nextScreening,
  type ScreeningDelay,
} from '../../domain/transactions/deciding/delay-screening.ts';
import { applyVerdict, type ScreeningVerdict } from '../../domain/transactions/deciding/apply-verdict.ts';
import { needsScreening, screeningPending } from '../../domain/transactions/screening-due.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import { columnNames, columnValues, unnestRows, unnestValues, type Column } from '../columns.ts';
import { type Database } from '../database.ts';
import { isCurrentBasis, isUnchangedBasis, type JudgementBasis } from './judgement-basis.ts';
import { keepWaitFacts } from './keep-wait-facts.ts';
import { keepComparisons } from '../sanctions-lists/version-lock.ts';
import type { Queryable } from '../postgres.ts';
import { guardVersion } from '../rules/guard-version.ts';
import { insertDecision } from '../rules/insert-decision.ts';
import type { NewDecision } from '../rules/seal-decision.ts';
import { waitOnEntity } from '../rules/wait-on-entity.ts';
import { replaceScreenings } from '../sanctions-screenings/insert-screenings.ts';
import type { SealedScreening } from '../sanctions-screenings/screening-row.ts';
import { deltasSql } from '../statistics/deltas.ts';
import { countedColumns, TRANSACTION_SCREENINGS } from '../statistics/measures.ts';
import { putOff } from '../transactions/put-off.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { sealingContext } from '../vault/contexts.ts';
import {
  changeInTransaction,
  untilPaired,
  type ChangedTransaction,
} from '../transactions/change-transaction.ts';

export interface TransactionJudgement {
  /** The record as it was screened. */
  open: OpenTransaction;
  screening: TransactionScreening;
  verdict: ScreeningVerdict;
  /** The rule decision; null where no rules were evaluated. */
  decision: NewDecision | null;
  /** Set when this decision trips the guard of its rule version. */
  guardCount: GuardCount | null;
  /** What the lists have matched: kept in the tenant's history, so that a match can be marked as a false positive. */
  matches: readonly SealedScreening[];
  basis: JudgementBasis;
  /** The transfer waits, and the judgement before says the same: nothing is to be stored. */
  stands: boolean;
  now: Date;
}

/**
 * Stores the screening and applies the verdict in one transaction: the record, its events, its webhook, the screening
 * and the rule decision. Writes nothing when the record changed after it was screened; a transfer whose judgement stands waits
 * on without an event. STALE when lists, rules,
 * settings or other stored facts have changed since: judge again.
 */
export async function settleScreening(
  db: Database,
  settlement: TransactionJudgement,
): Promise<ChangedTransaction | 'STALE'> {
  try {
    return await untilPaired(db, async (tx) => {
      if (!(await keepWaitFacts(tx, [settlement], db))) throw new StaleBasis();
      await keepComparisons(tx, [settlement.open.record.tenantId]);
      return await settle(db, tx, settlement);
    });
  } catch (error) {
    if (error instanceof StaleBasis) return 'STALE';
    throw error;
  }
}

/** Rolls a transaction back whose verdict does not count any more. */
class StaleBasis extends Error {}

async function settle(
  db: Database,
  tx: pg.PoolClient,
  settlement: TransactionJudgement,
): Promise<ChangedTransaction | undefined> {
  const { open, verdict, basis, stands, now } = settlement;
  const { tenantId, id } = open.record;
  let isCurrent = false;
  const changed = await changeInTransaction(db, tx, {
    tenantId,
    id,
    now,
    decide: (own, counterpart) => {
      isCurrent = isAsScreened(own, open.record);
      return isCurrent && !stands ? applyVerdict(own, counterpart, verdict, now) : NO_CHANGE;
    },
    // Checked after the records are locked: rules and settings may have changed during the wait for the locks.
    complete: async (_tx, decided) => {
      if (isCurrent && !(await isUnchangedBasis(tx, basis))) throw new StaleBasis();
      return decided;
    },
  });
  if (!changed || !isCurrent) return changed;
  if (stands) return { ...changed, record: await waitOn(tx, changed.record, settlement) };
  await storeJudgements(tx, [settlement]);
  return changed;
}

/** Lets a locked transfer wait as before: to the end of its rule's time, or for its VASP, which is looked for now. */
async function waitOn(
  tx: Queryable,
  record: TransactionRecord,
  { decision, now }: TransactionJudgement,
): Promise<TransactionRecord> {
  const { ruleWaitUntil } = record;
  if (ruleWaitUntil !== null && decision) await waitOnEntity(tx, decision);
  const cleared: TransactionRecord = { ...record, screeningState: 'CLEARED' };
  return await putOff(tx, cleared, { wakeAt: ruleWaitUntil ?? now, screenAgain: ruleWaitUntil !== null });
}

/** Whether a screening still counts for a record: neither the record nor the reason to screen it has changed. */
export function isAsScreened(own: TransactionRecord, screened: TransactionRecord): boolean {
  const isSameDue = own.screeningDueSince?.getTime() === screened.screeningDueSince?.getTime();
  return own.version === screened.version && isSameDue && needsScreening(own);
}

/**
 * Like storeJudgements, for a verdict that a request has applied. Throws screening_pending when lists, rules or settings
 * have changed since it was made.
 */
export async function storeAppliedJudgement(tx: Queryable, settlement: TransactionJudgement): Promise<void> {
  if (!(await isCurrentBasis(tx, settlement.basis))) throw screeningPending();
  await storeJudgements(tx, [settlement]);
}

const SCREENING_COLUMNS: Column<TransactionJudgement>[] = [
  { name: 'id', type: 'uuid', value: ({ screening }) => screening.id },
  { name: 'tenant_id', type: 'uuid', value: ({ open }) => open.record.tenantId },
  { name: 'transaction_id', type: 'uuid', value: ({ open }) => open.record.id },
  { name: 'record_version', type: 'int', value: ({ open }) => open.record.version },
  {
    name: 'content',
    type: 'bytea',
    value: ({ open, screening }) =>
      open.key.seal(sealingContext.transaction.screening(open.record, screening.id), screening),
  },
];
// The time is by the clock that dates the versions of the lists: what was screened before a version is compared again.
// $2 and $3 are the tenants and the transactions. One statement, since most transfers match nothing.
const INSERT_SCREENINGS = `
  with removed as (
    delete from screenings s using unnest($2::uuid[], $3::uuid[]) as t(tenant_id, id)
    where s.transaction_id = t.id and s.tenant_id = t.tenant_id and s.id <> all($${SCREENING_COLUMNS.length + 1}::uuid[])
  ), added as (
    insert into transaction_screenings (${columnNames(SCREENING_COLUMNS)}, created_at)
    select ${columnValues(SCREENING_COLUMNS)}, clock_timestamp() from ${unnestRows(SCREENING_COLUMNS)}
    returning ${countedColumns(TRANSACTION_SCREENINGS)}
  ) ${deltasSql(TRANSACTION_SCREENINGS, { added: 'added' })}`;

/**
 * Stores screenings with their matches and the decisions of the rules; both under the keys of the records. What was found
 * before of a party that the transfer does not name any more, or that does not match any more, leaves the history.
 */
export async function storeJudgements(
  tx: Queryable,
  settlements: readonly TransactionJudgement[],
): Promise<void> {
  if (settlements.length === 0) return;
  const matched = settlements.flatMap(({ matches }) => matches.map(({ screening }) => screening.id));
  await tx.query({
    name: 'insert-transaction-screenings',
    text: INSERT_SCREENINGS,
    values: [...unnestValues(SCREENING_COLUMNS, settlements), matched],
  });
  for (const { open, decision, guardCount, matches, now } of settlements) {
    await replaceScreenings(tx, matches);
    if (decision) await insertDecision(tx, open.key, decision);
    if (decision && guardCount) await guardVersion(tx, decision, guardCount, now);
  }
}

/**
 * Schedules another screening of a transfer that cannot be screened now, or holds the transfer when it has waited too
 * long.
 */
export async function delayTransferScreening(
  db: Database,
  { tenantId, id }: TransactionRecord,
  delay: ScreeningDelay,
  now: Date,
): Promise<ChangedTransaction> {
  return await untilPaired(db, async (tx) => {
    const changed = await changeInTransaction(db, tx, {
      tenantId,
      id,
      now,
      decide: (own) => delayScreening(own, delay, now),
    });
    if (!changed) return undefined;
    const { record } = changed;
    if (!needsScreening(record) || (record.wakeAt !== null && record.wakeAt > now)) return changed;
    const wakeAt = nextScreening(record, now);
    return { ...changed, record: await putOff(tx, record, { wakeAt, screenAgain: false }) };
  });
}
