import type pg from 'pg';
import type { GuardCount } from '../../domain/rules/guard.ts';
import { NO_CHANGE } from '../../domain/transactions/change.ts';
import { delayScreening, nextScreening } from '../../domain/transactions/deciding/delay-screening.ts';
import { applyVerdict, type ScreeningVerdict } from '../../domain/transactions/deciding/apply-verdict.ts';
import { needsScreening } from '../../domain/transactions/screening-due.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import { type Database } from '../database.ts';
import { isCurrentBasis, type JudgementBasis } from './judgement-basis.ts';
import type { Queryable } from '../postgres.ts';
import { guardVersion } from '../rules/guard-version.ts';
import { insertDecision, type NewDecision } from '../rules/insert-decision.ts';
import { putOff } from '../transactions/put-off.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { sealingContext } from '../vault/contexts.ts';
import {
  changeInTransaction,
  untilPaired,
  type ChangedTransaction,
} from '../transactions/change-transaction.ts';

export interface Settlement {
  /** The record as it was screened. */
  open: OpenTransaction;
  screening: TransactionScreening;
  verdict: ScreeningVerdict;
  /** The rule decision; null where no rules were evaluated. */
  decision: NewDecision | null;
  /** Set when this decision trips the guard of its rule version. */
  guardCount: GuardCount | null;
  basis: JudgementBasis;
  now: Date;
}

/**
 * Stores the screening and applies the verdict in one transaction: the record, its events, its webhook, the screening
 * and the rule decision. Writes nothing when the record changed after it was screened. STALE when lists, rules or
 * settings have changed since: judge again.
 */
export async function settleScreening(
  db: Database,
  settlement: Settlement,
): Promise<ChangedTransaction | 'STALE'> {
  return await untilPaired(db, async (tx) =>
    (await isCurrentBasis(tx, settlement.basis)) ? await settle(db, tx, settlement) : 'STALE',
  );
}

async function settle(
  db: Database,
  tx: pg.PoolClient,
  settlement: Settlement,
): Promise<ChangedTransaction | undefined> {
  const { open, verdict, now } = settlement;
  const { tenantId, id, version } = open.record;
  let isCurrent = false;
  const changed = await changeInTransaction(db, tx, {
    tenantId,
    id,
    now,
    decide: (own, counterpart) => {
      const isSameDue = own.screeningDueSince?.getTime() === open.record.screeningDueSince?.getTime();
      isCurrent = own.version === version && isSameDue && needsScreening(own);
      return isCurrent ? applyVerdict(own, counterpart, verdict, now) : NO_CHANGE;
    },
  });
  if (changed && isCurrent) await storeJudgement(tx, settlement);
  return changed;
}

/** Stores the screening and the decision of the rules, under the key of the record. */
export async function storeJudgement(
  tx: Queryable,
  { open, screening, decision, guardCount, now }: Settlement,
): Promise<void> {
  await tx.query({
    name: 'insert-transaction-screening',
    text: `insert into transaction_screenings (id, tenant_id, transaction_id, record_version, content, created_at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [
      screening.id,
      open.record.tenantId,
      open.record.id,
      open.record.version,
      open.key.seal(sealingContext.transaction.screening(open.record, screening.id), screening),
      now,
    ],
  });
  if (decision) await insertDecision(tx, open.key, decision);
  if (decision && guardCount) await guardVersion(tx, decision, guardCount, now);
}

/**
 * Schedules another screening of a transfer that cannot be screened now, or holds the transfer when it has waited too
 * long.
 */
export async function delayTransferScreening(
  db: Database,
  { tenantId, id }: TransactionRecord,
  delay: { what: string; maxWaitMinutes: number },
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
