import type { PartPairing } from './align.ts';
import { comparing } from './compare-parts.ts';
import { namesSharing } from './gram-index.ts';
import type { EntryType, ListEntry, ListedName } from './list-entry.ts';
import { nameParts } from './name-parts.ts';
import { partKey, type NamePart } from './name-part.ts';
import type { PartLikeness } from './part-similarity.ts';
import { qualify, type SubjectParticulars, type MatchQualifier } from './qualifiers.ts';
import { identifierKey, spelledWords, type SanctionsIndex } from './sanctions-index.ts';
import { scoreName } from './score-name.ts';
import { romaniseSyllable } from './scripts/hangul.ts';
import { skeletonOfSounds, soundsOf } from './sounds.ts';
import { REVIEW_THRESHOLD } from './thresholds.ts';

/** The subject to search for, with one or several names. */
export interface SanctionsQuery extends SubjectParticulars {
  /** NATURAL searches persons only, LEGAL all other subjects; without it all are searched. */
  type?: 'NATURAL' | 'LEGAL';
  /** The name and its aliases, in any script and order. At most 22 are read. */
  names: readonly string[];
  identifiers?: readonly string[];
}

export interface SearchOptions {
  /** Maximum number of matches, best first. Default 20. */
  limit?: number;
  /** Minimum score of a match. Default: the review threshold. */
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

/** A name, the name from first and last name, and twenty aliases. */
const MAX_QUERY_NAMES = 22;
const MAX_CANDIDATES = 60;
/** Bounds candidates times parts: a name with many parts gets fewer candidates. */
const MAX_SKELETON_WORK = 480;
const MAX_SKELETON_CANDIDATES = 120;
const MIN_SKELETON_CANDIDATES = 40;
/** With more names than these, each gets fewer candidates, which bounds the work of a query. */
const FULL_NAMES = 4;
const CANDIDATE_FLOOR = 0.32;
const SKELETON_FLOOR = 0.42;
const MAX_REPEATS = 2;
const DEFAULT_LIMIT = 20;
const WEAK_ALIAS_CAP = 0.8;
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
  const share = Math.min(1, FULL_NAMES / names.size);
  for (const name of names) {
    for (const side of sidesOf(query.type))
      searchName(index, name, { ...side, lists, everyName, share }, best);
  }
  const judged = [...best.values()].map((found) => judge(index, query, found));
  addIdentified(index, query, judged, lists);
  return judged
    .filter(({ score }) => score >= threshold)
    .sort((left, right) => right.score - left.score || left.entry - right.entry)
    .slice(0, limit)
    .map((one) => toMatch(index, one));
}

/** Names are read as names of persons or of other subjects, and compared only with names of the same kind. */
interface SearchSide {
  readAs: EntryType;
  among: 'persons' | 'others';
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

type SearchTarget = SearchSide & { lists: readonly string[] | undefined; everyName: boolean; share: number };

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
    const { score, pairings } = scoreName(queryParts, partsOfName(index, candidate), compare, side.readAs);
    const entry = index.nameEntries[candidate] ?? 0;
    if (score <= (best.get(entry)?.score ?? 0)) continue;
    best.set(entry, { entry, name: candidate, queryName: name, queryParts, score, pairings });
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

/** The names to score, found by spelling and, for other scripts, also by consonants. */
function candidates(index: SanctionsIndex, parts: readonly NamePart[], side: SearchTarget): Set<number> {
  const { lists } = side;
  const entryOf = (name: number) => index.entries[index.nameEntries[name] ?? 0] as ListEntry;
  const allowed = lists && ((name: number): boolean => isOfLists(entryOf(name), lists));
  if (side.everyName) {
    const names = [...index.nameEntries.keys()].filter((name) => isAmong(entryOf(name), side.among));
    return new Set(allowed ? names.filter(allowed) : names);
  }
  const { spelling, skeletons: bySkeleton } = index[side.among];
  const words = queryWords(parts);
  const found = namesSharing(spelling, words, index.scratch, {
    limit: Math.ceil(MAX_CANDIDATES * side.share),
    floor: CANDIDATE_FLOOR,
    allowed,
  });
  if (parts.every((part) => part.native === '')) return new Set(found);
  const bound = Math.max(MIN_SKELETON_CANDIDATES, Math.floor(MAX_SKELETON_WORK / parts.length));
  const byConsonants = skeletonVariants(parts).flatMap((skeletons) =>
    namesSharing(bySkeleton, skeletons, index.scratch, {
      limit: Math.ceil(Math.min(MAX_SKELETON_CANDIDATES, bound) * side.share),
      floor: SKELETON_FLOOR,
      allowed,
    }),
  );
  return new Set([...found, ...byConsonants]);
}

function isAmong({ type }: ListEntry, side: SearchSide['among']): boolean {
  return (type === 'person') === (side === 'persons');
}

function isOfLists(entry: ListEntry, lists: readonly string[] | undefined): boolean {
  return lists === undefined || lists.includes(entry.list);
}

/** The words to search for. Korean given names are listed as one or two words, so they are also searched by syllable. */
function queryWords(parts: readonly NamePart[]): string[] {
  const words = spelledWords(parts);
  const syllables = parts.filter((part) => part.script === 'hangul' && part.native.length <= 3);
  return [
    ...words,
    ...syllables.flatMap((part) => Array.from(part.native, (block) => romaniseSyllable(block))),
  ];
}

/** The consonant skeletons to search for. Hebrew has one letter for v, o and u, so both readings are searched. */
function skeletonVariants(parts: readonly NamePart[]): string[][] {
  const words = spelledWords(parts);
  const variants = [words];
  if (parts.some((part) => part.script === 'hebrew'))
    variants.push(words.map((word) => word.replaceAll('v', '')));
  return variants.map((list) => list.map((word) => skeletonOfSounds(soundsOf(word))));
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
}

function judge(index: SanctionsIndex, query: SanctionsQuery, found: FoundEntry): JudgedEntry {
  const entry = index.entries[found.entry] as ListEntry;
  const qualifiers = qualify(query, entry);
  const effect = qualifiers.reduce((sum, qualifier) => sum + qualifier.effect, 0);
  const { kind } = nameOf(index, found);
  const score = kind === 'weak' ? Math.min(found.score, WEAK_ALIAS_CAP) : found.score;
  return { entry: found.entry, score: rounded(score + effect), qualifiers, found };
}

function nameOf(index: SanctionsIndex, { entry, name }: FoundEntry): ListedName {
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

/** Adds entries with an equal identifier, such as a passport or registration number, whatever the name. */
function addIdentified(
  index: SanctionsIndex,
  query: SanctionsQuery,
  judged: JudgedEntry[],
  lists: readonly string[] | undefined,
): void {
  for (const value of query.identifiers ?? []) {
    for (const number of index.identifiers.get(identifierKey(value)) ?? []) {
      const entry = index.entries[number] as ListEntry;
      if (!isOfLists(entry, lists)) continue;
      const known = judged.find((other) => other.entry === number);
      const one: JudgedEntry = known ?? { entry: number, score: 0, qualifiers: qualify(query, entry) };
      one.qualifiers.push({ kind: 'identifier', outcome: 'equal', query: value, listed: value, effect: 0 });
      one.score = Math.max(one.score, IDENTIFIER_SCORE);
      if (known === undefined) judged.push(one);
    }
  }
}

function rounded(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;
}
