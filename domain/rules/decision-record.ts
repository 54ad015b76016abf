import { z } from 'zod';
import { canonicalJson } from '../canonical-json.ts';
import { DIRECTIONS, type Direction } from '../direction.ts';
import type { Facts } from './facts.ts';
import { RuleVerdict, RuleTrace, type RuleEvaluation } from './schema.ts';

/** A decision as it was made and stored. */
export interface DecisionRecord {
  id: string;
  transactionId: string;
  /** Counts the decisions of the transaction, from 1. */
  sequence: number;
  direction: Direction;
  configurationId: string;
  version: number;
  evaluation: RuleEvaluation;
  facts: Facts;
  /** WAIT rules that had run their time. */
  spent: string[];
  waitUntil: Date | null;
  evaluatedAt: Date;
  /** Whether the transaction is: then its tenant must not see what was known of it. */
  sealed: boolean;
}

const said = {
  decision: RuleVerdict,
  decidedBy: z.string().describe('The id of a rule, `default`, or `undecided`.'),
  waitMinutes: z.int().nullable(),
  reason: z.string().nullable().describe("The deciding rule's; never sent to the counterparty."),
  restsOnSanctions: z.boolean(),
  rules: z.array(RuleTrace).nullable().describe('Null while the transaction hides its personal data.'),
};

const RuleOutcome = z.strictObject(said).meta({ id: 'RuleEvaluation' });
type RuleOutcome = z.infer<typeof RuleOutcome>;

/** A stored decision as answered. */
export const RuleDecision = z
  .strictObject({
    id: z.uuid(),
    transactionId: z.uuid(),
    sequence: z.int().describe('Counts the decisions of the transaction, from 1.'),
    direction: z.enum(DIRECTIONS),
    configurationId: z.uuid(),
    version: z.int().describe('Of the rules; 0 before the first publish.'),
    ...said,
    spent: z.array(z.string()).describe('WAIT rules that had run their time.'),
    waitUntil: z.iso.datetime().nullable(),
    evaluatedAt: z.iso.datetime(),
    facts: z
      .record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]).nullable())
      .nullable()
      .describe('What was known; null while the transaction hides its personal data.'),
  })
  .meta({ id: 'RuleDecision' });
type RuleDecision = z.infer<typeof RuleDecision>;

export function viewDecision(record: DecisionRecord): RuleDecision {
  const { evaluation, facts, waitUntil, evaluatedAt, sealed, ...rest } = record;
  return {
    ...rest,
    ...viewSaid(evaluation, sealed),
    waitUntil: waitUntil?.toISOString() ?? null,
    evaluatedAt: evaluatedAt.toISOString(),
    facts: sealed ? null : knownFacts(facts),
  };
}

function viewSaid({ rules, ...evaluation }: RuleEvaluation, isSealed: boolean): RuleOutcome {
  return { ...evaluation, rules: isSealed ? null : rules };
}

function knownFacts(facts: Facts): Record<string, string | boolean | string[] | null> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, value ?? null]));
}

/** A stored decision beside the one that its facts give now. */
export const Replay = z
  .strictObject({
    identical: z.boolean().describe('Decision, deciding rule and every leaf are the same.'),
    decisionId: z.uuid(),
    sequence: z.int(),
    version: z.int(),
    stored: RuleOutcome,
    replayed: RuleOutcome,
  })
  .meta({ id: 'RuleReplay' });

export function viewReplay(record: DecisionRecord, replayed: RuleEvaluation): z.infer<typeof Replay> {
  const { id, sequence, version, evaluation, sealed } = record;
  return {
    identical: canonicalJson(evaluation) === canonicalJson(replayed),
    decisionId: id,
    sequence,
    version,
    stored: viewSaid(evaluation, sealed),
    replayed: viewSaid(replayed, sealed),
  };
}
