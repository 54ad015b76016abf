import { z } from 'zod';
import { canonicalJson } from '../canonical-json.ts';
import { DIRECTIONS, type Direction } from '../direction.ts';
import type { Facts } from './facts.ts';
import { RuleVerdict, RuleTrace, type RuleEvaluation } from './schema.ts';

/** A stored decision. */
export interface DecisionRecord {
  id: string;
  transactionId: string;
  /** Number of the decision within its transaction, from 1. */
  sequence: number;
  direction: Direction;
  configurationId: string;
  version: number;
  evaluation: RuleEvaluation;
  facts: Facts;
  /** Ids of WAIT rules whose time was over. */
  spent: string[];
  waitUntil: Date | null;
  evaluatedAt: Date;
}

const outcomeShape = {
  decision: RuleVerdict,
  decidedBy: z.string().describe('The id of a rule, `default`, or `undecided`.'),
  waitMinutes: z.int().nullable(),
  reason: z.string().nullable().describe('Reason of the deciding rule; never sent to the counterparty.'),
  restsOnSanctions: z.boolean(),
  rules: z.array(RuleTrace),
};

const RuleOutcome = z.strictObject(outcomeShape).meta({ id: 'RuleEvaluation' });

/** A stored decision in responses. */
export const RuleDecision = z
  .strictObject({
    id: z.uuid(),
    transactionId: z.uuid(),
    sequence: z.int().describe('Number of the decision within its transaction, from 1.'),
    direction: z.enum(DIRECTIONS),
    configurationId: z.uuid(),
    version: z.int().describe('Version of the rules; 0 before the first publish.'),
    ...outcomeShape,
    spent: z.array(z.string()).describe('Ids of WAIT rules whose time was over.'),
    waitUntil: z.iso.datetime().nullable(),
    evaluatedAt: z.iso.datetime(),
    facts: z
      .record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]).nullable())
      .describe('The known facts.'),
  })
  .meta({ id: 'RuleDecision' });
export type RuleDecision = z.infer<typeof RuleDecision>;

export function viewDecision(record: DecisionRecord): RuleDecision {
  const { evaluation, facts, waitUntil, evaluatedAt, ...rest } = record;
  return {
    ...rest,
    ...evaluation,
    waitUntil: waitUntil?.toISOString() ?? null,
    evaluatedAt: evaluatedAt.toISOString(),
    facts: knownFacts(facts),
  };
}

function knownFacts(facts: Facts): Record<string, string | boolean | string[] | null> {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, value ?? null]));
}

/** A stored decision, and the decision that results from the same facts now. */
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

/** The response of a replay: whether both evaluations are identical. */
export function viewReplay(record: DecisionRecord, replayed: RuleEvaluation): z.infer<typeof Replay> {
  const { id, sequence, version, evaluation } = record;
  return {
    identical: canonicalJson(evaluation) === canonicalJson(replayed),
    decisionId: id,
    sequence,
    version,
    stored: evaluation,
    replayed,
  };
}
