import type { PartPairing } from './align.ts';
import type { NamePart } from './name-part.ts';
import { isOrigin } from './places.ts';

/** The score of the short name of a listed organisation, which is for review. */
export const SHORT_NAME_SCORE = 0.75;
/** A shorter word, or one of more listed names, tells no organisation. */
const MIN_LETTERS = 6;
const MAX_NAMES = 12;

/** Meanings of generic words that say no more than a legal form does. */
const FORM_LIKE = new Set(['co', 'corp', 'org', 'grp', 'holding']);

/** Two names of organisations with the pairs of their parts. */
interface PairedNames {
  query: readonly NamePart[];
  listed: readonly NamePart[];
  pairings: readonly PartPairing[];
}

/**
 * Whether the query is the short name by which a listed organisation is known: "Garantex" and "Garantex Exchange" of GARANTEX
 * EUROPE OU. A rare word must be equal, and the listed name adds only where it is from, and its legal form. More than that,
 * such as generic words, makes too many other firms alike.
 */
export function isShortName({ query, listed, pairings }: PairedNames): boolean {
  const own = query.filter((_, at) => !pairings.some((pair) => isWithin(at, pair.query, pair.queryLength)));
  const added = listed.filter(
    (_, at) => !pairings.some((pair) => isWithin(at, pair.listed, pair.listedLength)),
  );
  const isKnown = own.every((part) => isBeside(part) || part.kind === 'generic');
  if (!isKnown || !added.every((part) => isBeside(part) || isOrigin(part.text))) return false;
  if (!added.some((part) => isOrigin(part.text))) return false;
  return (
    pairings.every(({ how }) => how === 'exact') &&
    pairings.some((pair) => isDistinctive(listed[pair.listed]))
  );
}

function isWithin(at: number, start: number, length: number): boolean {
  return at >= start && at < start + length;
}

function isBeside({ kind, meaning }: NamePart): boolean {
  return kind === 'form' || kind === 'particle' || FORM_LIKE.has(meaning);
}

function isDistinctive(part: NamePart | undefined): boolean {
  if (part?.kind !== 'word' || isOrigin(part.text)) return false;
  return part.names <= MAX_NAMES && part.text.length >= MIN_LETTERS;
}
