import type { Schemas } from '../api-types.ts';
import { OPERATOR_WORDS, valueWords } from '../rules-words.ts';
import { fieldWords } from '../words.ts';

export type Condition = Schemas['RuleCondition'];
export type FieldCondition = Schemas['RuleLeaf'];
export type Rule = Schemas['RuleInput'];
export type RuleField = Schemas['RuleField'];
export type GroupKind = 'all' | 'any' | 'not';

export function kindOf(condition: Condition): GroupKind | 'leaf' {
  if ('all' in condition) return 'all';
  if ('any' in condition) return 'any';
  return 'not' in condition ? 'not' : 'leaf';
}

export function childrenOf(condition: Condition): readonly Condition[] {
  if ('all' in condition) return condition.all;
  if ('any' in condition) return condition.any;
  return 'not' in condition ? [condition.not] : [];
}

/** A group of the kind; `not` takes one condition. */
export function groupOf(kind: GroupKind, children: readonly Condition[]): Condition {
  const [first] = children;
  if (kind === 'all') return { all: [...children] };
  if (kind === 'any') return { any: [...children] };
  return { not: children.length === 1 && first ? first : { all: [...children] } };
}

/** A fact that a condition reads, by its name in a simulation. */
export interface AskedFact {
  name: keyof Schemas['RuleFacts'];
  field: FieldCondition['field'];
  currency: FieldCondition['currency'];
}

/** The facts that the conditions read: an amount of coins and its value in each currency are different ones. */
export function factsIn(condition: Condition): AskedFact[] {
  if (!('field' in condition)) return childrenOf(condition).flatMap(factsIn);
  const { field, currency } = condition;
  return [{ name: currency ? FIAT_FACTS[currency] : field, field, currency }];
}

const FIAT_FACTS = { USD: 'amountUsd', EUR: 'amountEur' } as const;

const takesList = (operator: FieldCondition['operator']) =>
  operator === 'IN' ||
  operator === 'NOT_IN' ||
  operator === 'CONTAINS_ANY' ||
  operator === 'CONTAINS_NONE' ||
  operator === 'BETWEEN';

/** The value that was typed, as the operator and the field want it. */
export function typedValue(
  text: string,
  operator: FieldCondition['operator'],
  type: RuleField['type'],
): NonNullable<FieldCondition['value']> {
  if (takesList(operator))
    return text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  return type === 'BOOLEAN' ? text === 'true' : text.trim();
}

export function valueText(value: FieldCondition['value']): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

export function takesValue(operator: FieldCondition['operator']): boolean {
  return operator !== 'EXISTS' && operator !== 'NOT_EXISTS';
}

const JOINT = { all: ' and ', any: ' or ' } as const;

/** A condition as a sentence. */
export function conditionWords(condition: Condition): string {
  if ('field' in condition) return leafWords(condition);
  if ('not' in condition) return `not (${conditionWords(condition.not)})`;
  const kind = 'all' in condition ? 'all' : 'any';
  const parts = childrenOf(condition).map((child) =>
    'field' in child || 'not' in child ? conditionWords(child) : `(${conditionWords(child)})`,
  );
  return parts.join(JOINT[kind]);
}

function leafWords({ field, operator, value, currency }: FieldCondition): string {
  const words = `${fieldWords(field).toLowerCase()} ${OPERATOR_WORDS[operator]}`;
  if (!takesValue(operator)) return words;
  const shown = Array.isArray(value)
    ? value.map(String)
    : typeof value === 'boolean'
      ? value
      : String(value ?? '');
  return `${words} ${valueWords(shown, currency ?? null)}`;
}

/** The simplest condition on a field. */
export function newLeaf({ name, operators, currencies, values, type }: RuleField): FieldCondition {
  const [operator = 'EXISTS'] = operators;
  const currency = currencies?.[0];
  const first = type === 'BOOLEAN' ? 'true' : (values?.[0] ?? '');
  return {
    field: name,
    operator,
    ...(currency && { currency }),
    ...(takesValue(operator) && { value: typedValue(first, operator, type) }),
  };
}
