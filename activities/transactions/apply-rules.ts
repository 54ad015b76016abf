import type { Database } from '../../db/database.ts';
import type { NewDecision } from '../../db/rules/insert-decision.ts';
import { loadPublished } from '../../db/rules/load-published.ts';
import type { TransferSurroundings } from '../../db/transaction-screenings/read-surroundings.ts';
import { evaluate } from '../../domain/rules/evaluate.ts';
import type { Evaluation } from '../../domain/rules/schema.ts';
import { after } from '../../domain/transactions/deadlines.ts';
import { factsOf } from '../../domain/transactions/facts.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { TransactionScreening } from '../../domain/transactions/screening.ts';
import { isForRules, type Ruled } from '../../domain/transactions/verdict.ts';

const MINUTE_MS = 60_000;

/** What the tenant's published rules say of the facts, and the decision to be kept; null where no rules are asked. */
export async function applyRules(
  db: Database,
  record: TransactionRecord,
  screening: TransactionScreening,
  surroundings: TransferSurroundings,
  now: Date,
): Promise<(Ruled & { decision: NewDecision }) | null> {
  if (!isForRules(record)) return null;
  const { tenantId, id: transactionId, direction } = record;
  const { configurationId, version, compiled } = await loadPublished(db, tenantId, direction);
  const facts = factsOf(record, screening, surroundings);
  const spent = surroundings.spentRuleIds;
  const evaluation = await evaluate(compiled, facts, { spent, now: now.toISOString() });
  const place = { tenantId, transactionId, direction, configurationId, version };
  // What is sealed is decided anew when it is released: it has not waited for a rule by then.
  const waitUntil = record.sealed ? null : waitUntilOf(evaluation, surroundings, now);
  return {
    evaluation,
    version,
    waitUntil,
    decision: { ...place, facts, evaluation, spent, waitUntil, evaluatedAt: now },
  };
}

/** A wait that runs already goes on, whatever made the transfer be looked at again. */
function waitUntilOf(
  { decision, decidedBy, waitMinutes }: Evaluation,
  { runningWaits }: TransferSurroundings,
  now: Date,
): Date | null {
  if (decision !== 'WAIT' || waitMinutes === null) return null;
  return runningWaits.get(decidedBy) ?? after(now, waitMinutes * MINUTE_MS);
}
