import { z } from 'zod';
import { contentHash } from './content-hash.ts';
import { RuleVerdict, DECISIONS, RuleTrace, type RuleEvaluation, type RuleSet } from './schema.ts';

const BACKTEST_STATUSES = ['RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number];
const BACKTEST_SOURCES = ['DRAFT', 'PUBLISHED', 'GIVEN'] as const;
export type BacktestSource = (typeof BACKTEST_SOURCES)[number];

/** Maximum number of changed transactions that are stored with their traces. */
export const CHANGES_KEPT = 100;

/** Transactions by previous and new decision: `counts.BLOCK.PROCEED` were blocked and would now proceed. */
export type DecisionCounts = Partial<Record<RuleVerdict, Partial<Record<RuleVerdict, number>>>>;

/** The results of one rule, counted in transactions. */
export interface RuleHits {
  matched: number;
  undecided: number;
  /** Transactions that this rule decided. */
  decided: number;
}

/** The counts of a back-test so far. */
export interface BacktestTally {
  processed: number;
  changed: number;
  counts: DecisionCounts;
  ruleHits: Record<string, RuleHits>;
}

/** Adds one transaction to the tally: its stored decision and the tested rules' evaluation. Returns whether they differ. */
export function count(tally: BacktestTally, before: RuleVerdict, evaluation: RuleEvaluation): boolean {
  const { decision, decidedBy, rules } = evaluation;
  const row = (tally.counts[before] ??= {});
  row[decision] = (row[decision] ?? 0) + 1;
  for (const { ruleId, result } of rules) {
    if (result !== 'MATCHED' && result !== 'UNDECIDED') continue;
    const hits = (tally.ruleHits[ruleId] ??= { matched: 0, undecided: 0, decided: 0 });
    if (result === 'MATCHED') hits.matched += 1;
    else hits.undecided += 1;
    if (ruleId === decidedBy) hits.decided += 1;
  }
  tally.processed += 1;
  if (before !== decision) tally.changed += 1;
  return before !== decision;
}

export interface BacktestRecord extends BacktestTally {
  id: string;
  configurationId: string;
  status: BacktestStatus;
  source: BacktestSource;
  version: number | null;
  revision: number | null;
  ruleSet: RuleSet;
  contentHash: Buffer;
  from: Date;
  to: Date;
  total: number | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** A transaction that the tested rules would decide differently. */
export interface ChangedDecision {
  transactionId: string;
  decisionId: string;
  before: { decision: RuleVerdict; decidedBy: string };
  after: { decision: RuleVerdict; decidedBy: string };
  rules: RuleTrace[];
}

const number = z.int().min(0);
const byDecision = z
  .strictObject({ PROCEED: number, WAIT: number, REVIEW: number, BLOCK: number })
  .meta({ id: 'RuleDecisionCounts' });
const decided = z.strictObject({ decision: RuleVerdict, decidedBy: z.string() }).meta({ id: 'RuleOutcome' });

const summary = {
  id: z.uuid(),
  configurationId: z.uuid(),
  status: z.enum(BACKTEST_STATUSES),
  source: z.enum(BACKTEST_SOURCES).describe('GIVEN: rules that came with the request.'),
  version: number.nullable(),
  revision: number.nullable(),
  contentHash: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  processed: number.describe('Transactions done so far.'),
  total: number.nullable().describe('Transactions in the time; null until they are counted.'),
  changed: number.describe('Transactions that would have been decided differently.'),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
};

export const BacktestSummary = z.strictObject(summary).meta({ id: 'RuleBacktestSummary' });

export const Backtest = z
  .strictObject({
    ...summary,
    before: byDecision.describe('Number of transactions by stored decision.'),
    after: byDecision.describe('Number of transactions by decision of the tested rules.'),
    transitions: z.array(z.strictObject({ before: RuleVerdict, after: RuleVerdict, count: number })),
    rules: z.array(
      z.strictObject({
        ruleId: z.uuid(),
        name: z.string(),
        enabled: z.boolean(),
        decision: RuleVerdict,
        matched: number,
        undecided: number,
        decided: number.describe('Transactions that this rule decided.'),
      }),
    ),
    changes: z
      .array(
        z.strictObject({
          transactionId: z.uuid(),
          decisionId: z.uuid(),
          before: decided,
          after: decided,
          rules: z.array(RuleTrace),
        }),
      )
      .describe(`The first ${CHANGES_KEPT} changed transactions, the oldest decision first.`),
  })
  .meta({ id: 'RuleBacktest' });

export function viewBacktestSummary(record: BacktestRecord): z.infer<typeof BacktestSummary> {
  const { ruleSet: _, counts: __, ruleHits: ___, ...rest } = record;
  return {
    ...rest,
    contentHash: rest.contentHash.toString('hex'),
    from: rest.from.toISOString(),
    to: rest.to.toISOString(),
    createdAt: rest.createdAt.toISOString(),
    finishedAt: rest.finishedAt?.toISOString() ?? null,
  };
}

export function viewBacktest(record: BacktestRecord, changes: ChangedDecision[]): z.infer<typeof Backtest> {
  const transitions = DECISIONS.flatMap((before) =>
    DECISIONS.map((after) => ({ before, after, count: record.counts[before]?.[after] ?? 0 })),
  );
  return {
    ...viewBacktestSummary(record),
    before: sumBy(transitions, 'before'),
    after: sumBy(transitions, 'after'),
    transitions: transitions.filter((each) => each.count > 0 && each.before !== each.after),
    rules: record.ruleSet.rules.map(({ id, name, enabled, decision }) => ({
      ruleId: id,
      name,
      enabled,
      decision,
      ...(record.ruleHits[id] ?? { matched: 0, undecided: 0, decided: 0 }),
    })),
    changes,
  };
}

interface OutcomeTransition {
  before: RuleVerdict;
  after: RuleVerdict;
  count: number;
}

function sumBy(
  transitions: readonly OutcomeTransition[],
  side: 'before' | 'after',
): Record<RuleVerdict, number> {
  const sums = { PROCEED: 0, WAIT: 0, REVIEW: 0, BLOCK: 0 };
  for (const each of transitions) sums[each[side]] += each.count;
  return sums;
}

interface TestedRules {
  ruleSet: RuleSet;
  version: number | null;
  revision: number | null;
}

/** A back-test that has not started. Its period ends now at the latest: later decisions do not count. */
export function newBacktest(
  id: string,
  configurationId: string,
  { ruleSet, version, revision }: TestedRules,
  { from, to, now }: { from: Date; to: Date; now: Date },
): BacktestRecord {
  const stored = revision === null ? 'GIVEN' : 'DRAFT';
  return {
    id,
    configurationId,
    status: 'RUNNING',
    source: version === null ? stored : 'PUBLISHED',
    version,
    revision,
    ruleSet,
    contentHash: contentHash(ruleSet),
    from,
    to: to < now ? to : now,
    total: null,
    processed: 0,
    changed: 0,
    counts: {},
    ruleHits: {},
    createdAt: now,
    finishedAt: null,
  };
}
