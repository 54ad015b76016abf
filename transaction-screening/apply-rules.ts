import type { Database } from '../db/database.ts';
import type { NewDecision } from '../db/rules/seal-decision.ts';
import { firstDecisions } from '../db/rules/guard-version.ts';
import { loadPublished, type PublishedRules } from '../db/rules/load-published.ts';
import type { ScreeningContext } from '../db/lifecycle/read-screening-context.ts';
import { evaluate } from '../domain/rules/evaluate.ts';
import { countedByGuard, type GuardCount } from '../domain/rules/guard.ts';
import type { RuleEvaluation } from '../domain/rules/schema.ts';
import { factsOf } from '../domain/transactions/deciding/facts.ts';
import type { TransactionRecord } from '../domain/transactions/record.ts';
import type { TransactionScreening } from '../domain/transactions/deciding/screening.ts';
import { isForRules, type RuledFinding } from '../domain/transactions/deciding/combine-findings.ts';
import { MINUTE_MS, addMs } from '../domain/durations.ts';

/** The decision to store with the evaluation. */
interface KeptDecision {
  decision: NewDecision;
  /** Set when this decision trips the guard of its version. */
  guardCount: GuardCount | null;
}

interface RulesInput {
  record: TransactionRecord;
  screening: TransactionScreening;
  context: ScreeningContext;
  now: Date;
}

/** Evaluates the tenant's published rules and prepares the decision to store; null where no rules apply. */
export async function applyRules(
  db: Database,
  { record, screening, context, now }: RulesInput,
): Promise<(RuledFinding & KeptDecision) | null> {
  if (!isForRules(record)) return null;
  const { tenantId, id: transactionId, direction } = record;
  const published = await loadPublished(db, tenantId, direction);
  const { configurationId, version, compiled } = published;
  const facts = factsOf(record, screening, context);
  const spent = context.spentRuleIds;
  const evaluation = await evaluate(compiled, facts, { spent, now: now.toISOString() });
  const ref = { tenantId, transactionId, direction, configurationId, version };
  const isWatched = evaluation.decision === 'BLOCK' && context.settings.rules.blockGuard;
  const guardCount = isWatched ? await trippedBy(db, tenantId, published) : null;
  const waitUntil = waitUntilOf(evaluation, context, now);
  return {
    evaluation,
    version,
    waitUntil,
    guardCount,
    guarded: isWatched && (published.isGuarded || guardCount !== null),
    decision: { ...ref, facts, evaluation, spent, waitUntil, evaluatedAt: now },
  };
}

/**
 * The count that trips the guard with this BLOCK; null when the guard is tripped already or is not tripped. Version
 * 0, the default, was never published and has no guard.
 */
async function trippedBy(
  db: Database,
  tenantId: string,
  { configurationId, version, isGuarded }: PublishedRules,
): Promise<GuardCount | null> {
  if (isGuarded || version === 0) return null;
  return countedByGuard(await firstDecisions(db.pool, { tenantId, configurationId, version }));
}

/** The end of a WAIT; a wait that runs already keeps its end, however often the transfer is screened. */
function waitUntilOf(
  { decision, decidedBy, waitMinutes }: RuleEvaluation,
  { runningWaits }: ScreeningContext,
  now: Date,
): Date | null {
  if (decision !== 'WAIT' || waitMinutes === null) return null;
  return runningWaits.get(decidedBy) ?? addMs(now, waitMinutes * MINUTE_MS);
}
