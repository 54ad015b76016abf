export type MeasureName = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l';

/** One line of the result. */
export interface Figure {
  measure: MeasureName;
  name: string;
  /** The ratio first, then what it was made of. */
  value: string;
  comparedTo: string;
  goal: string;
  met: boolean;
  /** Said when the goal is missed. */
  reason?: string | undefined;
}

/** `(a) what: ratio (figures); compared to what; goal what: met`. A quick run is too small to be judged. */
export function figureLine(
  { measure, name, value, comparedTo, goal, met, reason }: Figure,
  quick: boolean,
): string {
  const missed = reason === undefined ? 'MISSED' : `MISSED: ${reason}`;
  const verdict = quick ? 'not judged, quick run' : met ? 'met' : missed;
  return `(${measure}) ${name}: ${value}; compared to ${comparedTo}; goal ${goal}: ${verdict}`;
}
