import { compareDecimals } from '../decimal.ts';
import type { Operator } from './fields.ts';

/** The value of a fact that is not known: no test accepts it, and no test's opposite does. */
export const MISSING = Symbol('missing');

/** A fact in the form in which it is compared: decimals canonical, texts folded as their field says. */
export type Comparable = string | boolean | readonly string[];

/** What a leaf asks for, in the form in which it is compared. */
export interface ExpectedValue {
  /** The value of EQ and the orders, the lower bound of BETWEEN. */
  readonly low: string | boolean;
  readonly high: string;
  readonly set: ReadonlySet<string>;
}

type OperatorTest = (actual: Comparable, expected: ExpectedValue) => boolean;

/** What each operator says of a known fact. */
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
