import { comparing } from '../sanctions/compare-parts.ts';
import { nameParts } from '../sanctions/name-parts.ts';
import { scoreName } from '../sanctions/score-name.ts';

/** Minimum similarity, 0 to 1, of two names that mean one VASP. */
const SAME_VASP = 0.85;

/** Whether two names are so alike that they mean one VASP: legal forms, spelling and word order may differ. */
export function nameOneVasp(one: string, other: string): boolean {
  const parts = nameParts(one, 'organisation');
  const { score } = scoreName(parts, nameParts(other, 'organisation'), comparing(parts), 'organisation');
  return score >= SAME_VASP;
}
