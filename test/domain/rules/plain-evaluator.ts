import type { Facts } from '../../../domain/rules/facts.ts';
import type { Condition, FieldCondition, Rule, RuleSet } from '../../../domain/rules/schema.ts';

/** A second opinion: the rules read straight from their text, with nothing of the product and without an engine. */

type Truth = boolean | null;
const HOLDS = ['REVIEW', 'BLOCK'];

/** In units of 10^-60. */
function units(text: unknown): bigint {
  const [whole = '', fraction = ''] = String(text).split('.');
  return BigInt(whole + fraction.padEnd(60, '0'));
}

function actualOf({ field, currency }: FieldCondition, facts: Facts): unknown[] {
  const given = [
    facts[currency ? (`amount${currency === 'USD' ? 'Usd' : 'Eur'}` as const) : field] ?? [],
  ].flat();
  if (field === 'counterpartyEntityId' && given.length > 0)
    return [...given, ...(facts.counterpartyDuplicateIds ?? [])];
  return Array.isArray(facts[field]) && field !== 'counterpartyEntityCountry' ? [...given, ''] : given;
}

/** Of a sum whose known part is given: the part, and what it may be in truth. */
function possibleSums({ field, value }: FieldCondition, facts: Facts): string[] | undefined {
  const known = facts.rolling24hAmountAtLeast ?? null;
  if (field !== 'rolling24hAmount' || known === null || (facts[field] ?? null) !== null) return undefined;
  const beyond = [value]
    .flat()
    .flatMap((bound) => [String(bound), String(bound) + (String(bound).includes('.') ? '1' : '.1')]);
  return [known, '9'.repeat(50), ...beyond.filter((sum) => units(sum) >= units(known))];
}

function truthOfLeaf(leaf: FieldCondition, facts: Facts): Truth {
  const sums = leaf.operator.endsWith('EXISTS') ? undefined : possibleSums(leaf, facts);
  if (!sums) return truthOfKnown(leaf, facts);
  const truths = new Set(sums.map((sum) => truthOfKnown(leaf, { rolling24hAmount: sum })));
  return truths.size === 1 ? [...truths][0]! : null;
}

function truthOfKnown(leaf: FieldCondition, facts: Facts): Truth {
  const fold = (one: unknown): unknown => (leaf.field === 'asset' ? String(one).toLowerCase() : one);
  const actual = actualOf(leaf, facts).map(fold);
  if (leaf.operator === 'EXISTS') return actual.length > 0;
  if (leaf.operator === 'NOT_EXISTS') return actual.length === 0;
  if (actual.length === 0) return null;
  const [low, high] = [leaf.value].flat();
  const isMet = [leaf.value].flat().some((one) => actual.includes(fold(one)));
  if (['EQ', 'IN', 'CONTAINS_ANY'].includes(leaf.operator)) return isMet;
  if (['NEQ', 'NOT_IN', 'CONTAINS_NONE'].includes(leaf.operator)) return !isMet;
  if (leaf.operator === 'BETWEEN') return units(actual[0]) >= units(low) && units(actual[0]) <= units(high);
  if (leaf.operator.endsWith('E') && units(actual[0]) === units(low)) return true;
  return leaf.operator.startsWith('G') ? units(actual[0]) > units(low) : units(actual[0]) < units(low);
}

const opposite = (one: Truth): Truth => (one === null ? null : !one);

function membersOf(condition: Condition): Condition[] | undefined {
  if ('not' in condition) return [condition.not];
  return 'all' in condition ? condition.all : 'any' in condition ? condition.any : undefined;
}

function truth(condition: Condition, facts: Facts): Truth {
  if ('not' in condition) return opposite(truth(condition.not, facts));
  if ('any' in condition) return opposite(truth({ all: condition.any.map((not) => ({ not })) }, facts));
  if (!('all' in condition)) return truthOfLeaf(condition, facts);
  const truths = condition.all.map((member) => truth(member, facts));
  return truths.includes(false) ? false : truths.includes(null) ? null : true;
}

/** The leaves below a condition for which `isIncluded` holds, for them and for all conditions on the way to them. */
function leavesBelow(
  condition: Condition,
  isIncluded: (one: Condition, outer: Condition) => boolean,
): FieldCondition[] {
  const members = membersOf(condition);
  if (!members) return [condition as FieldCondition];
  return members.filter((one) => isIncluded(one, condition)).flatMap((one) => leavesBelow(one, isIncluded));
}

function resultOf(rule: Rule, facts: Facts, spent: readonly string[], now: string): string {
  if (!rule.enabled) return 'DISABLED';
  if ((rule.enabledFrom ?? '') > now || (rule.snoozedUntil ?? '') > now) return 'SNOOZED';
  if (rule.decision === 'WAIT' && spent.includes(rule.id)) return 'SPENT';
  const found = truth(rule.conditions, facts);
  return found === null ? 'UNDECIDED' : found ? 'MATCHED' : 'NOT_MATCHED';
}

export function plainly(set: RuleSet, facts: Facts, spent: readonly string[], now: string) {
  const sorted = set.rules.toSorted((a, b) => a.priority - b.priority || (a.id > b.id ? 1 : -1));
  const results = sorted.map((rule) => resultOf(rule, facts, spent, now));
  const matched = sorted.filter((_, at) => results[at] === 'MATCHED');
  const grounds = (rule: Rule): FieldCondition[] =>
    leavesBelow(rule.conditions, (one, outer) => 'not' in outer || truth(one, facts) === truth(outer, facts));
  const isSupplied = (leaf: FieldCondition): boolean =>
    Boolean(leaf.currency) ||
    /^(aml(?!NotAsked)|sanc)/.test(leaf.field) ||
    possibleSums(leaf, facts) !== undefined;
  const lacking = sorted.filter((rule, at) => results[at] === 'UNDECIDED' && grounds(rule).some(isSupplied));
  const doubts = lacking.filter(({ decision }) => set.onUndecided === 'REVIEW' && decision !== 'PROCEED');
  const winner = ['BLOCK', 'REVIEW', 'WAIT', 'PROCEED']
    .map((decision) => matched.find((rule) => rule.decision === decision))
    .find(Boolean);
  const own = winner?.decision ?? set.defaultDecision;
  const isDoubt = doubts.length > 0 && !HOLDS.includes(own);
  const decision = isDoubt ? 'REVIEW' : own;
  const behind = [...matched.filter((rule) => HOLDS.includes(rule.decision)), ...doubts].flatMap(grounds);
  const hits = behind.filter((leaf) => leaf.field.startsWith('sanc') && actualOf(leaf, facts)[0] !== false);
  return {
    decision,
    decidedBy: isDoubt ? 'undecided' : (winner?.id ?? 'default'),
    restsOnSanctions: HOLDS.includes(decision) && hits.length > 0,
    results,
    leaves: sorted.map(({ enabled, conditions }) =>
      enabled ? leavesBelow(conditions, () => true).map((leaf) => truth(leaf, facts)) : [],
    ),
  };
}
