import type { PartPairing } from './align.ts';
import type { SearchTarget } from './candidates.ts';
import type { ListedName } from './list-entry.ts';
import { nameParts } from './name-parts.ts';
import type { NamePart } from './name-part.ts';

const WEAK_ALIAS_CAP = 0.8;
/** Given names without the family name are for review. */
const GIVEN_NAMES_CAP = 0.86;
const COMMA = ',';

interface Found {
  listed: readonly NamePart[];
  pairings: readonly PartPairing[];
  name: ListedName;
}

/**
 * A weak alias must neither decide nor stand before a better name of the entry, and what may be only the given names of
 * somebody must not decide without the listed family name: half of the couples that are called Hans Peter and Eva would be hits.
 */
export function cappedScore(score: number, found: Found, { isGiven }: { isGiven: boolean }): number {
  if (found.name.kind === 'weak') return Math.min(score, WEAK_ALIAS_CAP);
  return isGiven && lacksFamilyName(found) ? Math.min(score, GIVEN_NAMES_CAP) : score;
}

/**
 * The listed family name stands before the comma, and is compared behind the given names. One that is a given name, too, as in
 * "ABDULLAH, Abdullah Ahmed", is there where either is.
 */
function lacksFamilyName({ listed, pairings, name }: Found): boolean {
  const [before = '', ...given] = name.text.split(COMMA);
  if (given.length === 0) return false;
  const start = listed.length - nameParts(before, 'person').length;
  const family = new Set(
    listed
      .slice(start)
      .filter(isDistinctive)
      .map(({ text }) => text),
  );
  return !listed.some(({ text }, at) => family.has(text) && isListedPaired(pairings, at));
}

/**
 * Whether a part of a name lacks what shows that it is the listed name: all words of a segment or firm, a person's given
 * name. Names that are put together for a couple must have no other word either.
 */
export function isOther(
  within: NonNullable<SearchTarget['within']>,
  query: readonly NamePart[],
  { listed, pairings }: Found,
): boolean {
  // The given name is the first: that of "HUBER, Anna" is put before.
  if (within === 'PERSON') return !isListedPaired(pairings, listed.findIndex(isDistinctive));
  if (within === 'COUPLE')
    return query.some((part, at) => isDistinctive(part) && !isQueryPaired(pairings, at));
  return listed.some((part, at) => isDistinctive(part) && !isListedPaired(pairings, at));
}

function isListedPaired(pairings: readonly PartPairing[], at: number): boolean {
  return pairings.some(({ listed: start, listedLength }) => at >= start && at < start + listedLength);
}

function isQueryPaired(pairings: readonly PartPairing[], at: number): boolean {
  return pairings.some(({ query: start, queryLength }) => at >= start && at < start + queryLength);
}

function isDistinctive({ kind }: NamePart): boolean {
  return kind !== 'form' && kind !== 'particle';
}
