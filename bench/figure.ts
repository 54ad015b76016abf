export type MeasureName =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'scale'
  | 'tenth';

/** One line of the benchmark's result. */
export interface BenchFigure {
  measure: MeasureName;
  name: string;
  /** The ratio, if there is one, followed by the measured values. */
  value: string;
  comparedTo: string;
  goal: string;
  met: boolean;
  /** The reason for a missed goal; printed only if the goal is missed. */
  reason?: string | undefined;
}

/** Whether it is the same figure of another run. */
export function isSame({ measure, name }: BenchFigure): (other: BenchFigure) => boolean {
  return (other) => other.measure === measure && other.name === name;
}

/**
 * Formats `(a) name: ratio (values); compared to x; goal y: met; in the run before: …`. A quick run is too small to be judged.
 * `before` is the same figure of the run before.
 */
export function figureLine(
  { measure, name, value, comparedTo, goal, met, reason }: BenchFigure,
  quick: boolean,
  before?: BenchFigure,
): string {
  const missed = reason === undefined ? 'MISSED' : `MISSED: ${reason}`;
  const verdict = quick ? 'not judged, quick run' : met ? 'met' : missed;
  const earlier = before ? `; in the run before: ${before.value}` : '';
  return `(${measure}) ${name}: ${value}; compared to ${comparedTo}; goal ${goal}: ${verdict}${earlier}`;
}
