import { comparing } from '../sanctions/compare-parts.ts';
import { nameParts } from '../sanctions/name-parts.ts';
import { scoreName } from '../sanctions/score-name.ts';

/** The similarity from which on two names count as names of one institution. */
const LIKE = 0.85;

/** Whether a name is spelled nearly like one of an institution's names, by the matcher of the sanctions screening. */
export function isNamedLike(name: string, ownNames: readonly string[]): boolean {
  const parts = nameParts(name, 'organisation');
  const compare = comparing(parts);
  return ownNames.some((own) => {
    const { score } = scoreName(parts, nameParts(own, 'organisation'), compare, 'organisation');
    return score >= LIKE;
  });
}
