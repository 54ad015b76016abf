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
  /** When the tenant last took a false positive back. */
  suppressionRemovedAt: string | null;
  verdict: ScreeningVerdict;
  screening: TransactionScreening;
  /** The screening before; null where there is none. */
  previous: TransactionScreening | null;
  decision: NewDecision | null;
  /** Where the message would be delivered now. */
  receiver: RoutedCounterparty | null;
}

/** The clocks of application and database may differ by so much. */
const SKEW_MS = 60_000;

/**
 * Whether a waiting transfer was judged in the same way before, so that there is nothing to store; not where a false
 * positive was taken back since: that it was compared without has to be seen later.
 */
export async function isStillValid(
  db: Database,
  { record, suppressionRemovedAt, verdict, screening, previous, decision, receiver }: JudgedTransfer,
): Promise<boolean> {
  const isSentNow = receiver !== null && verdict.outcome === 'PROCEED';
  if (isSentNow || !previous || !decision || !leavesWaiting(record, verdict)) return false;
  const last = await findLastDecision(db, record);
  const before = last && { screening: previous, decision: last };
  const removedMs = suppressionRemovedAt === null ? -Infinity : Date.parse(suppressionRemovedAt);
  if (!before || !isSameJudgement(before, { screening, decision })) return false;
  return Date.parse(previous.screenedAt) > removedMs + SKEW_MS;
}
