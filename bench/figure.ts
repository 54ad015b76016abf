export type MeasureName = 'a' | 'b' | 'c' | 'd';

/** One line of the result. */
export interface Figure {
  measure: MeasureName;
  name: string;
  /** The ratio first, then what it was made of. */
  value: string;
  comparedTo: string;
  goal: string;
  met: boolean;
}

/** `(a) what: ratio (figures); compared to what; goal what: met`. A quick run is too small to be judged. */
export function figureLine({ measure, name, value, comparedTo, goal, met }: Figure, quick: boolean): string {
  const verdict = quick ? 'not judged, quick run' : met ? 'met' : 'MISSED';
  return `(${measure}) ${name}: ${value}; compared to ${comparedTo}; goal ${goal}: ${verdict}`;
}
