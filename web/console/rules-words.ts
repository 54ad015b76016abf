import type { Schemas } from './api-types.ts';
import { fieldWords, words } from './words.ts';

type FieldCondition = Schemas['RuleLeafTrace'];
type Value = FieldCondition['actual'];

export const OPERATOR_WORDS: Readonly<Record<FieldCondition['operator'], string>> = {
  EQ: 'is',
  NEQ: 'is not',
  IN: 'is one of',
  NOT_IN: 'is none of',
  GT: 'is more than',
  GTE: 'is at least',
  LT: 'is less than',
  LTE: 'is at most',
  BETWEEN: 'is between',
  CONTAINS_ANY: 'has any of',
  CONTAINS_NONE: 'has none of',
  EXISTS: 'is known',
  NOT_EXISTS: 'is not known',
};

export function valueWords(value: Value | undefined, currency: string | null = null): string {
  if (value === null || value === undefined) return 'not known';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const one = (text: string) => (/^[A-Z]+(_[A-Z]+)+$/.test(text) ? words(text).toLowerCase() : text);
  const shown = Array.isArray(value) ? value.map(one).join(', ') : one(String(value));
  return currency === null ? shown : `${shown} ${currency}`;
}

/** One condition and what became of it, as a sentence. */
export function leafSentence({
  field,
  operator,
  expected,
  actual,
  currency,
  result,
  missing,
}: FieldCondition): string {
  const takesValue = operator !== 'EXISTS' && operator !== 'NOT_EXISTS';
  const asked = `${fieldWords(field)} ${OPERATOR_WORDS[operator]}${takesValue ? ` ${valueWords(expected, currency)}` : ''}`;
  if (missing && takesValue) return `${asked}: cannot be told, the value is not known`;
  const found = takesValue ? `, it is ${valueWords(actual, currency)}` : '';
  return `${asked}: ${result === true ? 'yes' : 'no'}${found}`;
}

export const RESULT_WORDS: Readonly<Record<Schemas['RuleTrace']['result'], string>> = {
  MATCHED: 'applies',
  NOT_MATCHED: 'does not apply',
  UNDECIDED: 'cannot be decided: something is not known',
  SPENT: 'has been waited for',
  SNOOZED: 'is snoozed',
  DISABLED: 'is switched off',
};
