import type { Database } from '../db/database.ts';
import type { RoutedCounterparty } from '../domain/transactions/lifecycle/route.ts';
import type { NewDecision } from '../db/rules/seal-decision.ts';
import { findLastDecision } from '../db/rules/list-decisions.ts';
import type { ScreeningVerdict } from '../domain/transactions/deciding/apply-verdict.ts';
import type { TransactionScreening } from '../domain/transactions/deciding/screening.ts';
import { isSameJudgement, leavesWaiting } from '../domain/transactions/deciding/verdict-validity.ts';
import { hasUncomparedName } from '../db/lifecycle/new-counterparty.ts';
import type { OpenTransaction } from '../db/transactions/row.ts';

interface JudgedTransfer {
  open: OpenTransaction;
  /** The entity of the other VASP; null for none. */
  entityId: string | null;
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
 * Whether a waiting transfer was judged in the same way before, so that there is nothing to store; not where it was judged because
 * its VASP has a new name or a false positive was taken back: that it was compared with these has to be seen later.
 */
export async function isStillValid(
  db: Database,
  { open, entityId, suppressionRemovedAt, verdict, screening, previous, decision, receiver }: JudgedTransfer,
): Promise<boolean> {
  const { record } = open;
  const isSentNow = receiver !== null && verdict.outcome === 'PROCEED';
  if (isSentNow || !previous || !decision || !leavesWaiting(record, verdict)) return false;
  const last = await findLastDecision(db, record);
  const before = last && { screening: previous, decision: last };
  const removedMs = suppressionRemovedAt === null ? -Infinity : Date.parse(suppressionRemovedAt);
  if (!before || !isSameJudgement(before, { screening, decision })) return false;
  if (Date.parse(previous.screenedAt) <= removedMs + SKEW_MS) return false;
  return !(await hasUncomparedName(db, open, entityId));
}
