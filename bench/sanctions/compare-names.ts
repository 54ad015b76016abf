import { comparing } from '../../domain/sanctions/compare-parts.ts';
import type { EntryType } from '../../domain/sanctions/list-entry.ts';
import { nameParts } from '../../domain/sanctions/name-parts.ts';
import { scoreName, type NameScore } from '../../domain/sanctions/score-name.ts';

/** How alike two names are, 0 to 1, without any list. */
export function compareNames(query: string, listed: string, type: EntryType): NameScore {
  const queryParts = nameParts(query, type);
  return scoreName(queryParts, nameParts(listed, type), comparing(queryParts), type === 'person');
}
