import { compareDecimals } from '../decimal.ts';
import type { Operator } from './fields.ts';

/** The value of an unknown fact: neither a test nor its opposite accepts it. */
export const MISSING = Symbol('missing');

/**
 * A fact in the form in which it is compared: decimals canonical, texts folded by the rule of their field; several texts
 * where the fact has several values, or one value several names.
 */
export type ComparedValue = string | boolean | readonly string[];

/** A sum of which only a part is known. The rest is not negative. */
export interface PartialSum {
  readonly atLeast: string;
}

export function isPartial(actual: unknown): actual is PartialSum {
  return typeof actual === 'object' && actual !== null && 'atLeast' in actual;
}

/** The expected value of a leaf, in the form in which it is compared. */
export interface ExpectedValue {
  /** The value for EQ, NEQ and the comparisons; the lower bound for BETWEEN. */
  readonly low: string | boolean;
  readonly high: string;
  readonly set: ReadonlySet<string>;
}

/** The operators that compare a value. */
type ValueOperator = Exclude<Operator, 'EXISTS' | 'NOT_EXISTS'>;

type OperatorTest = (actual: ComparedValue, expected: ExpectedValue) => boolean;

/** The test of each operator on a known fact. */
export const TESTS: Readonly<Record<ValueOperator, OperatorTest>> = {
  EQ: isEqual,
  NEQ: (actual, expected) => !isEqual(actual, expected),
  IN: isAnyIn,
  NOT_IN: (actual, expected) => !isAnyIn(actual, expected),
  GT: (actual, { low }) => order(actual, low) > 0,
  GTE: (actual, { low }) => order(actual, low) >= 0,
  LT: (actual, { low }) => order(actual, low) < 0,
  LTE: (actual, { low }) => order(actual, low) <= 0,
  BETWEEN: (actual, { low, high }) => order(actual, low) >= 0 && order(actual, high) <= 0,
  CONTAINS_ANY: isAnyIn,
  CONTAINS_NONE: (actual, expected) => !isAnyIn(actual, expected),
};

/** The result of a test on a sum of which a part is known; null where the rest may change it. */
export function testPartial(
  operator: ValueOperator,
  { atLeast }: PartialSum,
  expected: ExpectedValue,
): boolean | null {
  const distance = order(atLeast, operator === 'BETWEEN' ? expected.high : expected.low);
  const isPast = operator === 'GTE' || operator === 'LT' ? distance >= 0 : distance > 0;
  return isPast ? TESTS[operator](atLeast, expected) : null;
}

function isEqual(actual: ComparedValue, { low }: ExpectedValue): boolean {
  return typeof actual === 'object' ? actual.some((name) => name === low) : actual === low;
}

function isAnyIn(actual: ComparedValue, { set }: ExpectedValue): boolean {
  if (typeof actual === 'string') return set.has(actual);
  return typeof actual === 'object' && actual.some((value) => set.has(value));
}

function order(actual: ComparedValue, bound: string | boolean): number {
  return compareDecimals(String(actual), String(bound));
}
