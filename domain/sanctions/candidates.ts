import { namesSharing } from './gram-index.ts';
import type { EntryType, ListEntry } from './list-entry.ts';
import type { NamePart } from './name-part.ts';
import { isOfLists, spelledWords, type SanctionsIndex } from './sanctions-index.ts';
import { romaniseSyllable } from './scripts/hangul.ts';
import { skeletonOfSounds, soundsOf } from './sounds.ts';

const MAX_CANDIDATES = 60;
/** Bounds candidates times parts: a name with many parts gets fewer candidates. */
const MAX_SKELETON_WORK = 480;
const MAX_SKELETON_CANDIDATES = 120;
const MIN_SKELETON_CANDIDATES = 40;
const CANDIDATE_FLOOR = 0.32;
const SKELETON_FLOOR = 0.42;

/** Names are read as names of persons or of other subjects, and compared only with names of the same kind. */
export interface SearchSide {
  readAs: EntryType;
  among: 'persons' | 'others';
}

/** The part of the index that a name is compared with. */
export type SearchTarget = SearchSide & {
  lists: readonly string[] | undefined;
  everyName: boolean;
  share: number;
  /**
   * What the name may be a part of; it must have all words of the listed name, or the given name of a person. A firm is
   * compared with organisations only: nobody acts for a vessel, and many are called by words such as "Horizon".
   */
  within?: 'SEGMENT' | 'PERSON' | 'FIRM' | 'COUPLE';
  /** Names that may be given names alone. */
  given?: ReadonlySet<string>;
  /** Scores these names instead of preselected candidates. */
  only?: readonly number[];
};

/** The names to score, found by spelling and, for other scripts, also by consonants. */
export function candidates(
  index: SanctionsIndex,
  parts: readonly NamePart[],
  side: SearchTarget,
): Set<number> {
  const { lists, only, within } = side;
  if (only) return new Set(only);
  const entryOf = (name: number) => index.entries[index.nameEntries[name] ?? 0] as ListEntry;
  const isAllowed = (name: number): boolean =>
    isOfLists(entryOf(name), lists) && (within !== 'FIRM' || entryOf(name).type === 'organisation');
  const allowed = lists || within === 'FIRM' ? isAllowed : undefined;
  if (side.everyName) {
    const names = [...index.nameEntries.keys()].filter((name) => isAmong(entryOf(name), side.among));
    return new Set(allowed ? names.filter(allowed) : names);
  }
  const { spelling, skeletons: bySkeleton } = index[side.among];
  const words = queryWords(parts);
  const found = namesSharing(spelling, words, index.scratch, {
    limit: Math.ceil(MAX_CANDIDATES * side.share),
    equalLimit: MAX_CANDIDATES,
    floor: CANDIDATE_FLOOR,
    allowed,
  });
  if (parts.every((part) => part.native === '')) return new Set(found);
  const bound = Math.max(MIN_SKELETON_CANDIDATES, Math.floor(MAX_SKELETON_WORK / parts.length));
  const byConsonants = skeletonVariants(parts).flatMap((skeletons) =>
    namesSharing(bySkeleton, skeletons, index.scratch, {
      limit: Math.ceil(Math.min(MAX_SKELETON_CANDIDATES, bound) * side.share),
      equalLimit: Math.min(MAX_SKELETON_CANDIDATES, bound),
      floor: SKELETON_FLOOR,
      allowed,
    }),
  );
  return new Set([...found, ...byConsonants]);
}

function isAmong({ type }: ListEntry, side: SearchSide['among']): boolean {
  return (type === 'person') === (side === 'persons');
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
