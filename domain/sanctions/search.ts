import type { PartPairing } from './align.ts';
import { comparing } from './compare-parts.ts';
import { candidates, type SearchSide, type SearchTarget } from './candidates.ts';
import { withoutPlacesBehind } from './firm-additions.ts';
import { identifiedEntries, type EqualIdentifiers } from './identified-entries.ts';
import type { ListEntry, ListedName } from './list-entry.ts';
import { nameParts } from './name-parts.ts';
import { partKey, type NamePart } from './name-part.ts';
import type { PartLikeness } from './part-similarity.ts';
import { qualify, type MatchQualifier } from './qualifiers.ts';
import { namesOfEntry, type SanctionsIndex } from './sanctions-index.ts';
import { readingsOf } from './readings.ts';
import type { SanctionsQuery } from './sanctions-query.ts';
import { scoreName } from './score-name.ts';
import { cappedScore, isOther } from './limits.ts';
import { REVIEW_THRESHOLD, SAME_SUBJECT } from './thresholds.ts';

export interface SearchOptions {
  /** Maximum number of matches, best first. Default 20. */
  limit?: number;
  /** Minimum score of a match by name. Default: the review threshold. An equal identifier is always a match. */
  threshold?: number;
  /** Searches only these lists. Default: all. */
  lists?: readonly string[];
  /** Scores all names instead of preselected candidates, for an index that contains candidates only. */
  everyName?: boolean;
}

/** Parts of the query's name and of the listed name that were paired. */
interface MatchedParts {
  query: string;
  listed: string;
  how: PartLikeness;
  score: number;
}

export interface NameMatch {
  entry: ListEntry;
  /** 0 to 1, rounded to four places. */
  score: number;
  /** The matched name of the entry and of the query; undefined if only an identifier matched. */
  matchedName?: ListedName;
  queryName?: string;
  parts: MatchedParts[];
  qualifiers: MatchQualifier[];
}

/** Name, first and last name in all their orders (9), names written in one field (20), twenty aliases, and other readings. */
export const MAX_QUERY_NAMES = 64;
/** With more names than these, each gets fewer candidates, which bounds the work of a query. */
const FULL_NAMES = 4;
const MIN_SHARE = 0.25;
export const MAX_SEGMENTS = 20;
export const MAX_PERSONS = 20;
const MAX_REPEATS = 2;
const DEFAULT_LIMIT = 20;
const IDENTIFIER_SCORE = 0.98;

/** The entries that match the query, best first, equal scores in the order of the list. Deterministic. */
export function search(
  index: SanctionsIndex,
  query: SanctionsQuery,
  options: SearchOptions = {},
): NameMatch[] {
  const { limit = DEFAULT_LIMIT, threshold = REVIEW_THRESHOLD, lists, everyName = false } = options;
  const best = new Map<number, FoundEntry>();
  const names = new Set(query.names.slice(0, MAX_QUERY_NAMES));
  const share = Math.max(MIN_SHARE, Math.min(1, FULL_NAMES / names.size));
  const segments = query.segments?.slice(0, MAX_SEGMENTS) ?? [];
  for (const side of sidesOf(query.type)) {
    const given = readingsOf(query.givenNames ?? [], side);
    const target = { ...side, lists, everyName, share, given };
    for (const name of readingsOf([...names], side)) searchName(index, name, target, best);
    for (const name of readingsOf(segments, side))
      searchName(index, name, { ...target, within: 'SEGMENT' }, best);
    if (side.readAs !== 'person') searchBeforePlaces(index, names, target, best);
    if (side.readAs !== 'person') continue;
    for (const name of readingsOf(query.persons?.slice(0, MAX_PERSONS) ?? [], side))
      searchName(index, name, { ...target, within: 'PERSON' }, best);
    for (const name of query.couples?.slice(0, MAX_PERSONS) ?? [])
      searchName(index, name, { ...target, within: 'COUPLE' }, best);
  }
  searchIntroduced(index, query, { lists, everyName, share }, best);
  searchFirms(index, query, { lists, everyName, share }, best);
  const identified = identifiedEntries(index, query, lists);
  for (const entry of identified.keys()) {
    if (!best.has(entry)) for (const name of names) searchEntry(index, name, { entry, share }, best);
  }
  const judged = [
    ...[...best.values()].map((found) => judge(index, query, found)),
    ...[...identified.keys()].flatMap((entry) => (best.has(entry) ? [] : [unnamed(index, query, entry)])),
  ].map((one) => withIdentifiers(one, identified.get(one.entry) ?? []));
  return judged
    .filter(({ score, isIdentified }) => score >= threshold || isIdentified)
    .sort((left, right) => right.score - left.score || left.entry - right.entry)
    .slice(0, limit)
    .map((one) => toMatch(index, one));
}

/** Compares firms without the places behind them with the firms that have no other word. */
function searchBeforePlaces(
  index: SanctionsIndex,
  names: ReadonlySet<string>,
  target: SearchTarget,
  best: Map<number, FoundEntry>,
): void {
  const readings = [...readingsOf([...names], target)].map(withoutPlacesBehind);
  for (const name of new Set(readings))
    if (name !== undefined) searchName(index, name, { ...target, within: 'FIRM' }, best);
}

/** Compares the persons that stand in the name of a firm, and the firms in that of a person. */
function searchIntroduced(
  index: SanctionsIndex,
  { type, introduced }: SanctionsQuery,
  options: Pick<SearchTarget, 'lists' | 'everyName' | 'share'>,
  best: Map<number, FoundEntry>,
): void {
  if (type === undefined || introduced === undefined) return;
  const names = type === 'NATURAL' ? introduced.firms : introduced.persons;
  for (const side of sidesOf(type === 'NATURAL' ? 'LEGAL' : 'NATURAL'))
    for (const name of readingsOf(names.slice(0, MAX_SEGMENTS), side))
      searchName(index, name, { ...side, ...options }, best);
}

/** Compares parts of names that may be those of firms with the firms that have no other word. */
function searchFirms(
  index: SanctionsIndex,
  { firms = [] }: SanctionsQuery,
  options: Pick<SearchTarget, 'lists' | 'everyName' | 'share'>,
  best: Map<number, FoundEntry>,
): void {
  const side: SearchSide = { readAs: 'organisation', among: 'others' };
  for (const name of readingsOf(firms.slice(0, MAX_SEGMENTS), side))
    searchName(index, name, { ...side, ...options, within: 'FIRM' }, best);
}

function sidesOf(type: SanctionsQuery['type']): SearchSide[] {
  const person: SearchSide = { readAs: 'person', among: 'persons' };
  const other: SearchSide = { readAs: 'organisation', among: 'others' };
  if (type === undefined) return [person, other];
  return type === 'NATURAL' ? [person] : [other];
}

interface FoundEntry {
  entry: number;
  name: number;
  queryName: string;
  queryParts: readonly NamePart[];
  score: number;
  pairings: readonly PartPairing[];
}

/** Scores all names of an entry that only an identifier has found. */
function searchEntry(
  index: SanctionsIndex,
  name: string,
  { entry, share }: { entry: number; share: number },
  best: Map<number, FoundEntry>,
): void {
  const isPerson = index.entries[entry]?.type === 'person';
  const side: SearchSide = isPerson
    ? { readAs: 'person', among: 'persons' }
    : { readAs: 'organisation', among: 'others' };
  const only = namesOfEntry(index, entry);
  searchName(index, name, { ...side, lists: undefined, everyName: false, share, only }, best);
}

function searchName(
  index: SanctionsIndex,
  name: string,
  side: SearchTarget,
  best: Map<number, FoundEntry>,
): void {
  const queryParts = withoutRepeats(nameParts(name, side.readAs));
  if (queryParts.length === 0) return;
  const compare = comparing(queryParts);
  for (const candidate of candidates(index, queryParts, side)) {
    const listed = partsOfName(index, candidate);
    const scored = scoreName(queryParts, listed, compare, side.readAs);
    const entry = index.nameEntries[candidate] ?? 0;
    const least = best.get(entry)?.score ?? 0;
    // The listed name itself is far away in memory: most candidates are left behind without it.
    if (scored.score <= least) continue;
    const found = { listed, pairings: scored.pairings, name: nameOf(index, { entry, name: candidate }) };
    const score = cappedScore(scored.score, found, { isGiven: side.given?.has(name) ?? false });
    if (score <= least) continue;
    if (side.within !== undefined && isOther(side.within, queryParts, found)) continue;
    best.set(entry, { entry, name: candidate, queryName: name, queryParts, ...scored, score });
  }
}

/** Drops parts that are repeated more than twice: they add no information and must not add cost. */
function withoutRepeats(parts: readonly NamePart[]): NamePart[] {
  const times = new Map<string, number>();
  return parts.filter((part) => {
    const key = partKey(part);
    times.set(key, (times.get(key) ?? 0) + 1);
    return (times.get(key) ?? 0) <= MAX_REPEATS;
  });
}

function partsOfName(index: SanctionsIndex, name: number): NamePart[] {
  const parts: NamePart[] = [];
  const end = index.nameStarts[name + 1] ?? 0;
  for (let position = index.nameStarts[name] ?? 0; position < end; position++)
    parts.push(index.parts[index.nameParts[position] ?? 0] as NamePart);
  return parts;
}

/** A scored entry; it is turned into a match only if it is returned. */
interface JudgedEntry {
  entry: number;
  score: number;
  qualifiers: MatchQualifier[];
  /** The name that was found; undefined if only an identifier was. */
  found?: FoundEntry;
  isIdentified: boolean;
}

function judge(index: SanctionsIndex, query: SanctionsQuery, found: FoundEntry): JudgedEntry {
  const entry = index.entries[found.entry] as ListEntry;
  const qualifiers = qualify(query, entry);
  const effect = qualifiers.reduce((sum, qualifier) => sum + qualifier.effect, 0);
  return { entry: found.entry, score: rounded(found.score + effect), qualifiers, found, isIdentified: false };
}

function nameOf(index: SanctionsIndex, { entry, name }: Pick<FoundEntry, 'entry' | 'name'>): ListedName {
  return index.entries[entry]?.names[index.nameNumbers[name] ?? 0] as ListedName;
}

function toMatch(index: SanctionsIndex, { entry: number, score, qualifiers, found }: JudgedEntry): NameMatch {
  const entry = index.entries[number] as ListEntry;
  if (!found) return { entry, score, parts: [], qualifiers };
  return {
    entry,
    score,
    matchedName: nameOf(index, found),
    queryName: found.queryName,
    parts: matchedParts(found, partsOfName(index, found.name)),
    qualifiers,
  };
}

function matchedParts(
  { pairings, queryParts }: FoundEntry,
  listedParts: readonly NamePart[],
): MatchedParts[] {
  return pairings
    .toSorted((left, right) => left.query - right.query)
    .map(({ query, queryLength, listed, listedLength, score, how }) => ({
      query: shown(queryParts, query, queryLength),
      listed: shown(listedParts, listed, listedLength),
      how,
      score: rounded(score),
    }));
}

function shown(parts: readonly NamePart[], start: number, length: number): string {
  return parts
    .slice(start, start + length)
    .map((part) => part.native || part.text)
    .join(' ');
}

/** An entry none of whose names is in the least like the subject's. */
function unnamed(index: SanctionsIndex, query: SanctionsQuery, entry: number): JudgedEntry {
  const qualifiers = qualify(query, index.entries[entry] as ListEntry);
  return { entry, score: 0, qualifiers, isIdentified: false };
}

/**
 * An equal identifier with a name that is at least half alike is the same subject. Alone it is for review: the name is
 * left out, since it was not what matched.
 */
function withIdentifiers(one: JudgedEntry, equal: readonly EqualIdentifiers[]): JudgedEntry {
  if (equal.length === 0) return one;
  const identifiers = equal.map(
    (pair) => ({ kind: 'identifier', outcome: 'equal', ...pair, effect: 0 }) as const,
  );
  const qualifiers = [...one.qualifiers, ...identifiers];
  if (one.found && one.found.score >= SAME_SUBJECT)
    return { ...one, score: Math.max(one.score, IDENTIFIER_SCORE), qualifiers, isIdentified: true };
  return { entry: one.entry, score: REVIEW_THRESHOLD, qualifiers, isIdentified: true };
}

function rounded(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;
}
