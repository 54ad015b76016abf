import type { EntryType } from './list-entry.ts';
import { nameParts } from './name-parts.ts';
import { partSimilarity } from './part-similarity.ts';
import { scoreName, type NameScore } from './score-name.ts';

/** How alike two names are, 0 to 1, without any list. */
export function compareNames(query: string, listed: string, type: EntryType): NameScore {
  const queryParts = nameParts(query, type);
  const listedParts = nameParts(listed, type);
  return scoreName(
    queryParts,
    listedParts,
    (place, part) => {
      const own = queryParts[place];
      return own === undefined ? { score: 0, how: 'different' } : partSimilarity(own, part);
    },
    type === 'person',
  );
}
