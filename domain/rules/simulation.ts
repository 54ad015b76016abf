import { z } from 'zod';
import { DIRECTIONS, type Direction } from '../direction.ts';
import type { CompiledLeaf, CompiledRules } from './compile.ts';
import { fieldOf, type FieldName } from './fields.ts';
import type { Facts } from './facts.ts';
import { RuleVerdict, RuleTrace, type RuleEvaluation } from './schema.ts';

/** A fact as used by the simulation. */
const SimulatedFact = z.strictObject({
  value: z.union([z.string(), z.boolean(), z.array(z.string())]).nullable(),
  source: z.enum(['GIVEN', 'MISSING']),
});

const evaluationShape = {
  decision: RuleVerdict,
  decidedBy: z.string().describe('The id of a rule, `default`, or `undecided`.'),
  waitMinutes: z.int().nullable(),
  reason: z.string().nullable().describe('Reason of the deciding rule; never sent to the counterparty.'),
  restsOnSanctions: z.boolean().describe('A person has to review it, whatever the decision.'),
};

export const RuleSimulation = z
  .strictObject({
    ...evaluationShape,
    rules: z.array(RuleTrace).describe('Every rule in the order of evaluation.'),
    source: z.enum(['DRAFT', 'PUBLISHED']),
    version: z.int().nullable().describe('With PUBLISHED; 0 before the first publish.'),
    revision: z.int().nullable().describe('With the stored draft.'),
    direction: z.enum(DIRECTIONS),
    evaluatedAt: z.iso.datetime(),
    facts: z
      .record(z.string(), SimulatedFact)
      .describe('The given facts, and the missing facts that rules need.'),
    warnings: z.array(
      z.strictObject({ code: z.string(), field: z.string().nullable(), message: z.string() }),
    ),
  })
  .meta({ id: 'RuleSimulation' });
export type RuleSimulation = z.infer<typeof RuleSimulation>;

interface SimulatedInput {
  evaluation: RuleEvaluation;
  compiled: CompiledRules;
  source: RuleSimulation['source'];
  version: number | null;
  revision: number | null;
  direction: Direction;
  facts: Facts;
  at: Date;
}

/** The response of a simulation, with warnings about missing facts and ineffective rules. */
export function viewSimulation({ evaluation, compiled, facts, at, ...rest }: SimulatedInput): RuleSimulation {
  const missing = missingFacts(evaluation);
  return {
    ...evaluation,
    ...rest,
    evaluatedAt: at.toISOString(),
    facts: { ...givenFacts(facts), ...Object.fromEntries(missing.map((name) => [name, MISSING])) },
    warnings: [...missing.map((field) => missingFactWarning(field)), ...warningsOf(compiled)],
  };
}

const MISSING = { value: null, source: 'MISSING' as const };

function givenFacts(facts: Facts): RuleSimulation['facts'] {
  const shown: RuleSimulation['facts'] = {};
  for (const [name, value] of Object.entries(facts)) {
    if (value !== null && value !== undefined) shown[name] = { value, source: 'GIVEN' };
  }
  return shown;
}

/** The facts that leaves need and that were not given, in reading order. */
function missingFacts({ rules }: RuleEvaluation): string[] {
  const missed = rules.flatMap(({ trace }) =>
    trace
      .filter(({ missing, operator }) => missing && operator !== 'EXISTS' && operator !== 'NOT_EXISTS')
      .map(({ field, currency }) => factName(field, currency)),
  );
  return [...new Set(missed)];
}

function factName(field: FieldName, currency: 'USD' | 'EUR' | null): string {
  if (field !== 'amount' || currency === null) return field;
  return currency === 'USD' ? 'amountUsd' : 'amountEur';
}

function missingFactWarning(field: string): RuleSimulation['warnings'][number] {
  const message = 'Not given, so rules that need it could not be decided; a simulation calls no provider.';
  return { code: 'fact_missing', field, message };
}

function warningsOf({ rules, ruleSet }: CompiledRules): RuleSimulation['warnings'] {
  const warnings: RuleSimulation['warnings'] = [];
  const enabled = rules.filter(({ rule }) => rule.enabled);
  if (enabled.length === 0) {
    const message = 'No rule is enabled: the default decides everything.';
    warnings.push({ code: 'no_rules', field: null, message });
  }
  if (ruleSet.onUndecided === 'IGNORE' && enabled.some(({ leaves }) => leaves.some(isSupplied))) {
    const message =
      'While a price, sanctions or AML fact is missing, rules on it are ignored: see onUndecided.';
    warnings.push({ code: 'undecided_ignored', field: null, message });
  }
  return warnings;
}

function isSupplied({ leaf }: CompiledLeaf): boolean {
  return fieldOf(leaf.field).supply !== null || leaf.currency !== undefined;
}
