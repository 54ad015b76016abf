import { compareDecimals } from '../decimal.ts';
import type { Operator } from './fields.ts';

/** The value of an unknown fact: neither a test nor its opposite accepts it. */
export const MISSING = Symbol('missing');

/** A fact in the form in which it is compared: decimals canonical, texts folded by the rule of their field. */
export type Comparable = string | boolean | readonly string[];

/** The expected value of a leaf, in the form in which it is compared. */
export interface ExpectedValue {
  /** The value for EQ, NEQ and the comparisons; the lower bound for BETWEEN. */
  readonly low: string | boolean;
  readonly high: string;
  readonly set: ReadonlySet<string>;
}

type OperatorTest = (actual: Comparable, expected: ExpectedValue) => boolean;

/** The test of each operator on a known fact. */
export const TESTS: Readonly<Record<Exclude<Operator, 'EXISTS' | 'NOT_EXISTS'>, OperatorTest>> = {
  EQ: (actual, { low }) => actual === low,
  NEQ: (actual, { low }) => actual !== low,
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

function isAnyIn(actual: Comparable, { set }: ExpectedValue): boolean {
  if (typeof actual === 'string') return set.has(actual);
  return typeof actual === 'object' && actual.some((value) => set.has(value));
}

function order(actual: Comparable, bound: string | boolean): number {
  return compareDecimals(String(actual), String(bound));
}
