import { comparing } from '../../domain/sanctions/compare-parts.ts';
import type { EntryType } from '../../domain/sanctions/list-entry.ts';
import { nameParts } from '../../domain/sanctions/name-parts.ts';
import { scoreName, type NameScore } from '../../domain/sanctions/score-name.ts';

/** The similarity of two names, 0 to 1, without an index. */
export function compareNames(query: string, listed: string, type: EntryType): NameScore {
  const queryParts = nameParts(query, type);
  return scoreName(queryParts, nameParts(listed, type), comparing(queryParts), type);
}
