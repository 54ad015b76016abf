import type { Facts } from '../../../domain/rules/facts.ts';
import type { Condition, Leaf, Rule, RuleSet } from '../../../domain/rules/schema.ts';

/** A second opinion: the rules read straight from their text, with nothing of the product and no engine. */

type Truth = boolean | null;
const SUPPLIED = [
  'amlRiskScore',
  'amlRiskSeverity',
  'amlCategories',
  'sanctionsNameMatch',
  'sanctionsAddressMatch',
];
const STRENGTH = ['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'];

/** In units of 10^-60. */
function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(60, '0'));
}

function fact({ field, currency }: Leaf, facts: Facts): string | boolean | string[] | undefined {
  const given =
    currency === undefined ? facts[field] : currency === 'USD' ? facts.amountUsd : facts.amountEur;
  if (given === null || (field === 'counterpartyEntityCountry' && `${given}` === '')) return undefined;
  return field === 'asset' && typeof given === 'string' ? given.toLowerCase() : given;
}

function truthOfLeaf(leaf: Leaf, facts: Facts): Truth {
  const actual = fact(leaf, facts);
  if (leaf.operator === 'EXISTS') return actual !== undefined;
  if (leaf.operator === 'NOT_EXISTS') return actual === undefined;
  if (actual === undefined) return null;
  const wanted = [leaf.value ?? '']
    .flat()
    .map((one) => (leaf.field === 'asset' ? `${one}`.toLowerCase() : one));
  const isNumber = /amount|score|count$|hour/i.test(leaf.field);
  const meets = [actual]
    .flat()
    .some((one) =>
      wanted.some((other) => (isNumber ? units(`${one}`) === units(`${other}`) : one === other)),
    );
  const above = (bound: unknown): number =>
    Number(units(`${actual}`) > units(`${bound}`)) - Number(units(`${actual}`) < units(`${bound}`));
  switch (leaf.operator) {
    case 'EQ':
    case 'IN':
    case 'CONTAINS_ANY':
      return meets;
    case 'NEQ':
    case 'NOT_IN':
    case 'CONTAINS_NONE':
      return !meets;
    case 'GT':
      return above(wanted[0]) === 1;
    case 'GTE':
      return above(wanted[0]) !== -1;
    case 'LT':
      return above(wanted[0]) === -1;
    case 'LTE':
      return above(wanted[0]) !== 1;
    case 'BETWEEN':
      return above(wanted[0]) !== -1 && above(wanted[1]) !== 1;
  }
}

function truth(condition: Condition, facts: Facts): Truth {
  if ('not' in condition) return opposite(truth(condition.not, facts));
  if ('any' in condition) return opposite(truth({ all: condition.any.map((not) => ({ not })) }, facts));
  if (!('all' in condition)) return truthOfLeaf(condition, facts);
  const truths = condition.all.map((member) => truth(member, facts));
  return truths.includes(false) ? false : truths.includes(null) ? null : true;
}

const opposite = (one: Truth): Truth => (one === null ? null : !one);

function grounds(condition: Condition, facts: Facts): Leaf[] {
  if ('not' in condition) return grounds(condition.not, facts);
  const members = 'all' in condition ? condition.all : 'any' in condition ? condition.any : undefined;
  if (!members) return [condition as Leaf];
  return members
    .filter((one) => truth(one, facts) === truth(condition, facts))
    .flatMap((one) => grounds(one, facts));
}

export function plainly({ rules, ...set }: RuleSet, facts: Facts, spent: readonly string[], now: string) {
  const sorted = rules.toSorted((a, b) => a.priority - b.priority || (a.id > b.id ? 1 : -1));
  const results = sorted.map((rule) => resultOf(rule, facts, spent, now));
  const says = (result: string): Rule[] => sorted.filter((_, at) => results[at] === result);
  const leavesOf = (rule: Rule): Leaf[] => grounds(rule.conditions, facts);
  const doubts =
    set.onUndecided === 'IGNORE'
      ? []
      : says('UNDECIDED').filter(
          (rule) =>
            rule.decision !== 'PROCEED' &&
            leavesOf(rule).some(({ field, currency }) => currency ?? SUPPLIED.includes(field)),
        );
  const winner = says('MATCHED').toSorted(
    (a, b) => STRENGTH.indexOf(b.decision) - STRENGTH.indexOf(a.decision),
  )[0];
  const own = winner?.decision ?? set.defaultDecision;
  const isDoubt = doubts.length > 0 && (own === 'PROCEED' || own === 'WAIT');
  const decision = isDoubt ? 'REVIEW' : own;
  const behind = [...says('MATCHED').filter((rule) => /REVIEW|BLOCK/.test(rule.decision)), ...doubts].flatMap(
    leavesOf,
  );
  const isHit = (leaf: Leaf): boolean => leaf.field.startsWith('sanctions') && fact(leaf, facts) !== false;
  return {
    decision,
    decidedBy: isDoubt ? 'undecided' : (winner?.id ?? 'default'),
    restsOnSanctions: /REVIEW|BLOCK/.test(decision) && behind.some(isHit),
    results,
    leaves: sorted.map(({ enabled, conditions }) =>
      enabled ? leavesIn(conditions).map((leaf) => truth(leaf, facts)) : [],
    ),
  };
}

function leavesIn(condition: Condition): Leaf[] {
  if ('not' in condition) return leavesIn(condition.not);
  const members = 'all' in condition ? condition.all : 'any' in condition ? condition.any : undefined;
  return members?.flatMap(leavesIn) ?? [condition as Leaf];
}

function resultOf(rule: Rule, facts: Facts, spent: readonly string[], now: string): string {
  if (!rule.enabled) return 'DISABLED';
  if ((rule.enabledFrom ?? '') > now || (rule.snoozedUntil ?? '') > now) return 'SNOOZED';
  if (rule.decision === 'WAIT' && spent.includes(rule.id)) return 'SPENT';
  const found = truth(rule.conditions, facts);
  return found === null ? 'UNDECIDED' : found ? 'MATCHED' : 'NOT_MATCHED';
}
