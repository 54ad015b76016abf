import type { Facts } from '../../../domain/rules/facts.ts';
import { FIELD_NAMES, fieldOf, type FieldName, type Operator } from '../../../domain/rules/fields.ts';
import type { Condition, FieldCondition, LeafValue, Rule, RuleSet } from '../../../domain/rules/schema.ts';

/** Rule sets and inputs out of one number, with values from small pools, so that leaves are met about as often as not. */

export type Random = () => number;

/** Lehmer's numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  // Neighbouring seeds begin alike.
  next();
  next();
  return next;
}

const chance = (random: Random, share: number): boolean => random() < share;
const upTo = (random: Random, most: number): number => 1 + ((random() * most) | 0);
function pick<T>(random: Random, from: readonly T[]): T {
  return from[(random() * from.length) | 0] as T;
}

const DECIMALS = [
  '0',
  '0.5',
  '1',
  '900',
  '999.99',
  '1000',
  '1000.000000000000000000000001',
  '123456789012345678901234567890',
];
const POOLS: Partial<Record<FieldName, readonly string[]>> = {
  asset: ['BTC', 'btc', 'ETH', 'USDT'],
  blockchain: ['Solana', 'Tron', 'nowhere'],
  counterpartyEntityId: ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002'],
  missingFields: ['originator.name', 'beneficiary.name', 'originator.country'],
};

const POOL = Object.fromEntries(FIELD_NAMES.map((name) => [name, poolOf(name)])) as Record<
  FieldName,
  readonly string[]
>;

function poolOf(name: FieldName): readonly string[] {
  const { type, values } = fieldOf(name);
  if (type === 'DECIMAL') return DECIMALS;
  if (type === 'COUNTRY' || type === 'COUNTRY_SET') return ['DE', 'FR', 'IR', 'KP'];
  return POOLS[name] ?? values?.slice(0, 4) ?? [];
}

function several(random: Random, from: readonly string[]): string[] {
  return [...new Set(Array.from({ length: upTo(random, 3) }, () => pick(random, from)))];
}

const FACT_NAMES = [
  ...FIELD_NAMES,
  'amountUsd',
  'amountEur',
  'rolling24hAmountAtLeast',
  'counterpartyDuplicateIds',
] as const;
type Name = (typeof FACT_NAMES)[number];

/** The facts that the rules could look at: any other would make no difference. */
export function namesIn(ruleSet: RuleSet): Name[] {
  const text = JSON.stringify(ruleSet);
  return FACT_NAMES.filter(
    (name) =>
      name.startsWith('amount') ||
      text.includes(`"${name.replace('AtLeast', '').replace('DuplicateIds', 'EntityId')}"`),
  );
}

export function randomFacts(random: Random, names: readonly Name[]): Facts {
  const facts: Record<string, LeafValue | null> = {};
  for (const name of names) {
    if (chance(random, 0.3)) continue;
    facts[name] = chance(random, 0.05) ? null : randomFact(random, name);
  }
  return facts;
}

function randomFact(random: Random, name: Name): LeafValue {
  if (name === 'amountUsd' || name === 'amountEur' || name === 'rolling24hAmountAtLeast')
    return pick(random, DECIMALS);
  if (name === 'counterpartyDuplicateIds') return several(random, POOL.counterpartyEntityId);
  const { type } = fieldOf(name);
  if (type === 'BOOLEAN') return chance(random, 0.5);
  if (type !== 'TEXT_SET' && type !== 'COUNTRY_SET') return pick(random, POOL[name]);
  return chance(random, 0.1) ? [] : several(random, POOL[name]);
}

function randomLeaf(random: Random): FieldCondition {
  const field = pick(random, FIELD_NAMES);
  const { operators, currencies } = fieldOf(field);
  const operator = pick(random, operators);
  const value = randomValue(random, field, operator);
  const currency = currencies && chance(random, 0.7) ? pick(random, currencies) : undefined;
  return { field, operator, value, currency };
}

function randomValue(random: Random, field: FieldName, operator: Operator): LeafValue | undefined {
  if (operator === 'EXISTS' || operator === 'NOT_EXISTS') return undefined;
  if (fieldOf(field).type === 'BOOLEAN') return chance(random, 0.5);
  const from = POOL[field];
  if (operator === 'BETWEEN') {
    const [low, high] = [upTo(random, from.length), upTo(random, from.length)].toSorted((a, b) => a - b);
    return [from[(low ?? 1) - 1] ?? '', from[(high ?? 1) - 1] ?? ''];
  }
  const isList = ['IN', 'NOT_IN', 'CONTAINS_ANY', 'CONTAINS_NONE'].includes(operator);
  return isList ? several(random, from) : pick(random, from);
}

function randomCondition(random: Random, depth: number): Condition {
  if (depth === 0 || chance(random, 0.5)) return randomLeaf(random);
  if (chance(random, 0.25)) return { not: randomCondition(random, depth - 1) };
  const members = Array.from({ length: upTo(random, 3) }, () => randomCondition(random, depth - 1));
  return chance(random, 0.5) ? { all: members } : { any: members };
}

/** A time before, at or after `NOW`, or none. */
export const NOW = '2026-05-01T00:00:00.000Z';
const TIMES = [null, null, null, null, '2026-04-30T23:59:59.999Z', NOW, '2026-05-01T00:00:00.001Z'];

function randomRule(random: Random, at: number): Rule {
  const decision = pick(random, ['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'] as const);
  return {
    id: `019a0000-0000-7000-8000-0000000${upTo(random, 9)}000${at}`,
    name: `rule ${at}`,
    enabled: chance(random, 0.95),
    priority: upTo(random, 2),
    conditions: randomCondition(random, 3),
    decision,
    waitMinutes: decision === 'WAIT' ? 5 : null,
    reason: null,
    enabledFrom: pick(random, TIMES),
    snoozedUntil: pick(random, TIMES),
  };
}

export function randomRuleSet(random: Random): RuleSet {
  return {
    rules: Array.from({ length: upTo(random, 3) }, (_, at) => randomRule(random, at)),
    defaultDecision: pick(random, ['PROCEED', 'REVIEW', 'BLOCK'] as const),
    onUndecided: chance(random, 0.5) ? 'REVIEW' : 'IGNORE',
  };
}

export function randomSpent(random: Random, { rules }: RuleSet): string[] {
  return rules.filter(() => chance(random, 0.3)).map(({ id }) => id);
}
