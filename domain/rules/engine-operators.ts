import { Operator as EngineOperator } from 'json-rules-engine';
import { OPERATORS, type Operator } from './fields.ts';
import { MISSING, TESTS, type Comparable, type ExpectedValue } from './operators.ts';

/** The engine's name for the opposite of an operator; a colon would mean something to it. */
export function opposite(operator: Operator): string {
  return `NOT ${operator}`;
}

/** Every operator and its opposite for the engine. The value of a condition is a place in `expected`. */
export function engineOperators(expected: readonly ExpectedValue[]): EngineOperator<never, number>[] {
  return OPERATORS.flatMap((operator) => [
    engineOperator(operator, operator, false, expected),
    engineOperator(opposite(operator), operator, true, expected),
  ]);
}

type FactValue = Comparable | typeof MISSING;

function engineOperator(
  name: string,
  operator: Operator,
  isNegated: boolean,
  expected: readonly ExpectedValue[],
): EngineOperator<never, number> {
  if (operator === 'EXISTS' || operator === 'NOT_EXISTS') {
    const wantsMissing = (operator === 'NOT_EXISTS') !== isNegated;
    return new EngineOperator(name, (actual: FactValue) => (actual === MISSING) === wantsMissing);
  }
  const test = TESTS[operator];
  return new EngineOperator(
    name,
    (actual: Comparable, place: number) => test(actual, at(expected, place)) !== isNegated,
    (actual: FactValue) => actual !== MISSING,
  );
}

function at(expected: readonly ExpectedValue[], place: number): ExpectedValue {
  const found = expected[place];
  if (!found) throw new Error('A condition names no leaf.');
  return found;
}
