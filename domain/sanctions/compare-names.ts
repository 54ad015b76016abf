import { comparing } from './compare-parts.ts';
import type { EntryType } from './list-entry.ts';
import { nameParts } from './name-parts.ts';
import { scoreName, type NameScore } from './score-name.ts';

/** How alike two names are, 0 to 1, without any list. */
export function compareNames(query: string, listed: string, type: EntryType): NameScore {
  const queryParts = nameParts(query, type);
  return scoreName(queryParts, nameParts(listed, type), comparing(queryParts), type === 'person');
}
