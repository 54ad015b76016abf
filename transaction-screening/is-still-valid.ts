import type { Database } from '../db/database.ts';
import type { RoutedCounterparty } from '../domain/transactions/lifecycle/route.ts';
import type { NewDecision } from '../db/rules/seal-decision.ts';
import { findLastDecision } from '../db/rules/list-decisions.ts';
import type { ScreeningVerdict } from '../domain/transactions/deciding/apply-verdict.ts';
import type { TransactionScreening } from '../domain/transactions/deciding/screening.ts';
import { isSameJudgement, leavesWaiting } from '../domain/transactions/deciding/verdict-validity.ts';
import type { TransactionRecord } from '../domain/transactions/record.ts';

interface JudgedTransfer {
  record: TransactionRecord;
  verdict: ScreeningVerdict;
  screening: TransactionScreening;
  /** The screening before; null where there is none. */
  previous: TransactionScreening | null;
  decision: NewDecision | null;
  /** Where the message would be delivered now. */
  receiver: RoutedCounterparty | null;
}

/** Whether a waiting transfer was judged in the same way before, so that there is nothing to store. */
export async function isStillValid(
  db: Database,
  { record, verdict, screening, previous, decision, receiver }: JudgedTransfer,
): Promise<boolean> {
  const isSentNow = receiver !== null && verdict.outcome === 'PROCEED';
  if (isSentNow || !previous || !decision || !leavesWaiting(record, verdict)) return false;
  const last = await findLastDecision(db, record);
  const before = last && { screening: previous, decision: last };
  return before !== undefined && isSameJudgement(before, { screening, decision });
}
