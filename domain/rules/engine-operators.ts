import { Operator as EngineOperator } from 'json-rules-engine';
import { OPERATORS, type Operator } from './fields.ts';
import {
  isPartial,
  MISSING,
  TESTS,
  testPartial,
  type ComparedValue,
  type ExpectedValue,
  type PartialSum,
} from './operators.ts';

/** The engine's name for the opposite of an operator. A colon would have a meaning for the engine. */
export function opposite(operator: Operator): string {
  return `NOT ${operator}`;
}

/** All operators and their opposites for the engine. The value of a condition is an index into `expected`. */
export function engineOperators(expected: readonly ExpectedValue[]): EngineOperator<never, number>[] {
  return OPERATORS.flatMap((operator) => [
    engineOperator({ name: operator, operator, isNegated: false, expected }),
    engineOperator({ name: opposite(operator), operator, isNegated: true, expected }),
  ]);
}

type KnownValue = ComparedValue | PartialSum;
type FactValue = KnownValue | typeof MISSING;

interface OperatorInput {
  name: string;
  operator: Operator;
  isNegated: boolean;
  expected: readonly ExpectedValue[];
}

function engineOperator({
  name,
  operator,
  isNegated,
  expected,
}: OperatorInput): EngineOperator<never, number> {
  if (operator === 'EXISTS' || operator === 'NOT_EXISTS') {
    const wantsMissing = (operator === 'NOT_EXISTS') !== isNegated;
    return new EngineOperator(
      name,
      (actual: FactValue) => (actual === MISSING || isPartial(actual)) === wantsMissing,
    );
  }
  const test = TESTS[operator];
  return new EngineOperator(
    name,
    (actual: KnownValue, index: number) => {
      const wanted = expectedAt(expected, index);
      const truth = isPartial(actual) ? testPartial(operator, actual, wanted) : test(actual, wanted);
      return truth === !isNegated;
    },
    (actual: FactValue) => actual !== MISSING,
  );
}

function expectedAt(expected: readonly ExpectedValue[], index: number): ExpectedValue {
  const found = expected[index];
  if (!found) throw new Error('A condition refers to a leaf that does not exist.');
  return found;
}
