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
  | 'u';

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

/** Formats `(a) name: ratio (values); compared to x; goal y: met`. A quick run is too small to be judged. */
export function figureLine(
  { measure, name, value, comparedTo, goal, met, reason }: BenchFigure,
  quick: boolean,
): string {
  const missed = reason === undefined ? 'MISSED' : `MISSED: ${reason}`;
  const verdict = quick ? 'not judged, quick run' : met ? 'met' : missed;
  return `(${measure}) ${name}: ${value}; compared to ${comparedTo}; goal ${goal}: ${verdict}`;
}
