import type { Database } from '../../db/database.ts';
import type { NewDecision } from '../../db/rules/insert-decision.ts';
import { firstDecisions } from '../../db/rules/guard-version.ts';
import { loadPublished, type PublishedRules } from '../../db/rules/load-published.ts';
import type { ScreeningContext } from '../../db/lifecycle/read-screening-context.ts';
import { evaluate } from '../../domain/rules/evaluate.ts';
import { countedByGuard, type GuardCount } from '../../domain/rules/guard.ts';
import type { RuleEvaluation } from '../../domain/rules/schema.ts';
import { factsOf } from '../../domain/transactions/deciding/facts.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import { isForRules, type RuledFinding } from '../../domain/transactions/deciding/combine-findings.ts';
import { MINUTE_MS, addMs } from '../../domain/durations.ts';

/** What is to be stored with what the rules said. */
interface KeptDecision {
  decision: NewDecision;
  /** When this decision makes the guard of its version go off. */
  guardCount: GuardCount | null;
}

/** What the tenant's published rules say of the facts, and the decision to be kept; null where no rules are asked. */
export async function applyRules(
  db: Database,
  record: TransactionRecord,
  screening: TransactionScreening,
  context: ScreeningContext,
  now: Date,
): Promise<(RuledFinding & KeptDecision) | null> {
  if (!isForRules(record)) return null;
  const { tenantId, id: transactionId, direction } = record;
  const published = await loadPublished(db, tenantId, direction);
  const { configurationId, version, compiled } = published;
  const facts = factsOf(record, screening, context);
  const spent = context.spentRuleIds;
  const evaluation = await evaluate(compiled, facts, { spent, now: now.toISOString() });
  const place = { tenantId, transactionId, direction, configurationId, version };
  const isWatched = evaluation.decision === 'BLOCK' && context.settings.rules.blockGuard;
  const guardCount = isWatched ? await goingOff(db, tenantId, published) : null;
  // What is sealed is decided anew when it is released: it has not waited for a rule by then.
  const waitUntil = record.sealed ? null : waitUntilOf(evaluation, context, now);
  return {
    evaluation,
    version,
    waitUntil,
    guardCount,
    guarded: isWatched && (published.isGuarded || guardCount !== null),
    decision: { ...place, facts, evaluation, spent, waitUntil, evaluatedAt: now },
  };
}

/** What makes the guard go off by this BLOCK; null when it has before, or need not. Defaults were never published. */
async function goingOff(
  db: Database,
  tenantId: string,
  { configurationId, version, isGuarded }: PublishedRules,
): Promise<GuardCount | null> {
  if (isGuarded || version === 0) return null;
  return countedByGuard(await firstDecisions(db.pool, { tenantId, configurationId, version }));
}

/** A wait that runs already goes on, whatever made the transfer be looked at again. */
function waitUntilOf(
  { decision, decidedBy, waitMinutes }: RuleEvaluation,
  { runningWaits }: ScreeningContext,
  now: Date,
): Date | null {
  if (decision !== 'WAIT' || waitMinutes === null) return null;
  return runningWaits.get(decidedBy) ?? addMs(now, waitMinutes * MINUTE_MS);
}
