import { alignParts, type PartPairing } from './align.ts';
import type { CompareParts } from './compare-parts.ts';
import { joinParts, lettersOfRun, type PartRun } from './join-parts.ts';
import type { EntryType } from './list-entry.ts';
import type { NamePart } from './name-part.ts';
import { missingLetters, partSimilarity } from './part-similarity.ts';
import { LEAST_LETTER_COST } from './spelling-distance.ts';
import { isShortName, SHORT_NAME_SCORE } from './short-name.ts';

/** Penalties for parts that only one of the names has. */
interface NameCoverage {
  /** Only the query has it. */
  extraQuery: number;
  /** Only the listed name has it. */
  extraListed: number;
  /** Both names have parts that the other lacks: probably two persons or firms of one family. */
  conflict: number;
  /** Factor for names that agree in only one of several parts. */
  single: number;
  /** Maximum weight of extra listed parts. */
  maxExtraListed: number;
}

const PERSON: NameCoverage = {
  extraQuery: 0.38,
  extraListed: 0.15,
  conflict: 1.5,
  single: 0.85,
  maxExtraListed: 3,
};
const OTHER: NameCoverage = {
  extraQuery: 0.7,
  extraListed: 0.4,
  conflict: 1.6,
  single: 0.95,
  maxExtraListed: 3,
};

/** For person names in scripts without vowels or tones: many names sound alike, so all parts must agree. */
const PERSON_BY_LETTERS: NameCoverage = {
  extraQuery: 0.9,
  extraListed: 0.3,
  conflict: 2,
  single: 0.7,
  maxExtraListed: 3,
};
const PERSON_BY_SYLLABLES: NameCoverage = {
  extraQuery: 0.9,
  extraListed: 0.9,
  conflict: 2,
  single: 0.75,
  maxExtraListed: 3,
};

/** Maximum score of names that share only legal forms, generic words and initials. */
const NO_CONTENT_CAP = 0.6;
/**
 * Maximum score of names whose only distinguishing word is short and spelled in another way: one sound more or less is
 * another name, as Seba Bank is not Bank Sepah. It is for review.
 */
const SHORT_WORD_CAP = 0.86;
const MAX_SHORT_LETTERS = 5;
/** The share of its weight with which a legal form counts that only the listed name has. */
const LISTED_FORM_SHARE = 0.5;
/** The least score of an organisation of one long word with a legal form that the list leaves out: "Rosneft Ltd" is "Rosneft". */
const SAME_BUT_FORM_SCORE = 0.88;
/** Remaining weight of at most an article or a legal form, and of about a whole word. */
const SMALL_PART = 0.3;
const WHOLE_PART = 0.9;
const WHOLE_NAME = 0.97;
const MIN_WHOLE_LETTERS = 8;
const MIN_WHOLE_SCORE = 0.9;
const MAX_WHOLE_DIFFERENCE = 2;

/** The penalties for this query. */
function coverageOf(query: readonly NamePart[], type: EntryType): NameCoverage {
  if (type !== 'person') return OTHER;
  const foreign = query.filter((part) => part.native !== '');
  if (foreign.length === 0) return PERSON;
  if (foreign.some(({ script }) => script === 'arabic' || script === 'hebrew')) return PERSON_BY_LETTERS;
  const short = foreign.every(
    (part) => part.native.length <= 2 && (part.script === 'han' || part.script === 'hangul'),
  );
  return short ? PERSON_BY_SYLLABLES : PERSON;
}

export interface NameScore {
  /** 0 to 1. */
  score: number;
  pairings: PartPairing[];
}

/** The similarity of two names by their parts, of which those of persons are weighed in another way than all others. */
export function scoreName(
  query: readonly NamePart[],
  listed: readonly NamePart[],
  compare: CompareParts,
  type: EntryType,
): NameScore {
  const coverage = coverageOf(query, type);
  const pairings = alignParts(query, listed, compare);
  const byParts = pairings.length === 0 ? 0 : partsScore(query, listed, pairings, coverage);
  const whole = byParts < WHOLE_NAME ? wholeName(query, listed, compare) : 0;
  if (whole <= byParts) return { score: byParts, pairings };
  const all = { query: 0, queryLength: query.length, listed: 0, listedLength: listed.length };
  return { score: whole, pairings: [{ ...all, score: whole, how: 'joined' }] };
}

/** Compares names that are split differently as one word: "Abdul Aliali Asgari" and "Abdulali Ali Asgari". */
function wholeName(query: readonly NamePart[], listed: readonly NamePart[], compare: CompareParts): number {
  if (query.length === listed.length) return 0;
  const [left, right] = [wholeOf(query), wholeOf(listed)];
  const letters = lettersOfRun(query, left);
  const apart = Math.abs(letters - lettersOfRun(listed, right));
  if (letters < MIN_WHOLE_LETTERS || apart > MAX_WHOLE_DIFFERENCE) return 0;
  // Each letter that only one of them has costs at least that.
  if (strangeLetters(query, listed) * LEAST_LETTER_COST > (1 - MIN_WHOLE_SCORE) * (letters + 1)) return 0;
  if (!isLatin(query) || !isLatin(listed)) return 0;
  const { score } = partSimilarity(compare.joined(left), joinParts(listed, right));
  return score >= MIN_WHOLE_SCORE ? score * WHOLE_NAME : 0;
}

function wholeOf(parts: readonly NamePart[]): PartRun {
  return { start: 0, length: parts.length };
}

function strangeLetters(left: readonly NamePart[], right: readonly NamePart[]): number {
  return missingLetters(lettersIn(left), lettersIn(right));
}

function lettersIn(parts: readonly NamePart[]): number {
  return parts.reduce((letters, part) => letters | part.letters, 0);
}

function isLatin(parts: readonly NamePart[]): boolean {
  return parts.every((part) => part.native === '' && part.kind !== 'number');
}

function partsScore(
  query: readonly NamePart[],
  listed: readonly NamePart[],
  pairings: readonly PartPairing[],
  coverage: NameCoverage,
): number {
  const sums = sumUp(query, listed, pairings);
  const extraQuery = leftOver(query, sums.queryTaken, 1);
  const extraListed = leftOver(listed, sums.listedTaken, LISTED_FORM_SHARE);
  const conflict = Math.min(extraQuery, extraListed);
  const against =
    numbersApart(query, listed, sums) +
    conflict * coverage.conflict +
    (extraQuery - conflict) * coverage.extraQuery +
    Math.min(extraListed - conflict, coverage.maxExtraListed) * coverage.extraListed;
  const ratio = sums.score / (sums.weight + against);
  const score = limited(ratio, { sums, extraQuery, extraListed }, coverage);
  if (coverage !== OTHER) return score;
  if (sums.words === 1 && isShortWordUnlike(query, listed, pairings)) return Math.min(score, SHORT_WORD_CAP);
  if (extraListed === 0 && isSameButForm(query, listed, sums, pairings))
    return Math.max(score, SAME_BUT_FORM_SCORE);
  if (score >= SHORT_NAME_SCORE || sums.words === 0) return score;
  return isShortName({ query, listed, pairings }) ? SHORT_NAME_SCORE : score;
}

/** Whether the names differ in legal forms of the query alone, beside one word that is no short one. */
function isSameButForm(
  query: readonly NamePart[],
  listed: readonly NamePart[],
  { words, queryTaken }: ScoreSums,
  pairings: readonly PartPairing[],
): boolean {
  if (words !== 1 || leftOver(query, queryTaken, 0) > 0) return false;
  return pairings.some(
    ({ listed: at, how }) =>
      how === 'exact' && listed[at]?.kind === 'word' && (listed[at]?.text.length ?? 0) > MAX_SHORT_LETTERS,
  );
}

/** Whether the only pair of distinguishing words is of short Latin words that are alike but not equal. */
function isShortWordUnlike(
  query: readonly NamePart[],
  listed: readonly NamePart[],
  pairings: readonly PartPairing[],
): boolean {
  return pairings.some((pairing) => {
    const left = query[pairing.query];
    const right = listed[pairing.listed];
    if (left?.kind !== 'word' || right?.kind !== 'word' || left.native !== '' || right.native !== '')
      return false;
    const isUnlike = pairing.how === 'spelling' || pairing.how === 'sound';
    return isUnlike && Math.min(left.text.length, right.text.length) <= MAX_SHORT_LETTERS;
  });
}

/** The penalty for different numbers in the names, such as ships of one class; smaller than for a different word. */
function numbersApart(query: readonly NamePart[], listed: readonly NamePart[], sums: ScoreSums): number {
  const left = query.find((part, at) => part.kind === 'number' && (sums.queryTaken & (1 << at)) === 0);
  const right = listed.find((part, at) => part.kind === 'number' && (sums.listedTaken & (1 << at)) === 0);
  if (left === undefined && right === undefined) return 0;
  return (left ?? right)?.weight ?? 0;
}

interface ScoreSums {
  score: number;
  weight: number;
  /** Number of pairs that are more than a legal form, an article, a number or an initial. */
  content: number;
  /** Number of pairs of distinguishing words; an initial is none. */
  words: number;
  /** Number of initials paired with whole names. */
  guessed: number;
  queryTaken: number;
  listedTaken: number;
}

function sumUp(
  query: readonly NamePart[],
  listed: readonly NamePart[],
  pairings: readonly PartPairing[],
): ScoreSums {
  const sums: ScoreSums = {
    score: 0,
    weight: 0,
    content: 0,
    words: 0,
    guessed: 0,
    queryTaken: 0,
    listedTaken: 0,
  };
  for (const pairing of pairings) {
    const weight = Math.max(
      runWeight(query, pairing.query, pairing.queryLength),
      runWeight(listed, pairing.listed, pairing.listedLength),
    );
    const used = pairing.how === 'initial' ? Math.min(weight, 0.5) : weight;
    sums.weight += used;
    sums.score += used * pairing.score;
    if (isContent(query[pairing.query]) && isContent(listed[pairing.listed])) sums.content++;
    if (pairing.how === 'initial') sums.guessed++;
    else if (query[pairing.query]?.kind === 'word' || listed[pairing.listed]?.kind === 'word') sums.words++;
    sums.queryTaken |= ((1 << pairing.queryLength) - 1) << pairing.query;
    sums.listedTaken |= ((1 << pairing.listedLength) - 1) << pairing.listed;
  }
  return sums;
}

function runWeight(parts: readonly NamePart[], start: number, length: number): number {
  let weight = 0;
  for (let index = start; index < start + length; index++) weight += parts[index]?.weight ?? 0;
  return Math.min(weight, Math.max(1, length * 0.8));
}

/** The weight of the parts without a partner. A repeated part counts once, a legal form with `formShare` of its weight. */
function leftOver(parts: readonly NamePart[], taken: number, formShare: number): number {
  let weight = 0;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as NamePart;
    if ((taken & (1 << index)) !== 0 || part.kind === 'number') continue;
    const repeated = parts.some(
      (other, at) => at !== index && (taken & (1 << at)) !== 0 && other.text === part.text,
    );
    if (repeated) continue;
    weight += part.kind === 'form' ? part.weight * formShare : part.weight;
  }
  return weight;
}

interface LeftoverParts {
  sums: ScoreSums;
  extraQuery: number;
  extraListed: number;
}

function limited(
  score: number,
  { sums, extraQuery, extraListed }: LeftoverParts,
  coverage: NameCoverage,
): number {
  const isPartial = extraQuery > SMALL_PART || extraListed > SMALL_PART;
  if (sums.content === 0 && isPartial) return Math.min(score, NO_CONTENT_CAP);
  // "Belt Finance" is not B-Finance.
  if (sums.words === 0 && sums.guessed > 0) return Math.min(score, NO_CONTENT_CAP);
  if (sums.words === 0 && extraQuery + extraListed >= WHOLE_PART) return Math.min(score, NO_CONTENT_CAP);
  return sums.content === 1 && extraListed + extraQuery >= WHOLE_PART ? score * coverage.single : score;
}

function isContent(part: NamePart | undefined): boolean {
  return (
    part !== undefined &&
    part.kind !== 'form' &&
    part.kind !== 'particle' &&
    part.kind !== 'initial' &&
    part.kind !== 'number'
  );
}
