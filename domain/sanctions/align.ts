import type { CompareParts } from './compare-parts.ts';
import { isForeignRun, joinParts, lettersOfRun, type PartRun } from './join-parts.ts';
import type { NamePart } from './name-part.ts';
import { partSimilarity, type PartLikeness } from './part-similarity.ts';

/** A run of query parts paired with a run of listed parts; one of the two runs has length 1. */
export interface PartPairing {
  query: number;
  queryLength: number;
  listed: number;
  listedLength: number;
  score: number;
  how: PartLikeness;
}

/** Minimum similarity of two parts to be paired. */
const MIN_SCORE = 0.5;
const MIN_JOINED_SCORE = 0.78;
const MIN_FOREIGN_JOINED_SCORE = 0.84;
const SETTLED_SCORE = 0.93;
const JOINED = 0.98;
const MIN_JOINED_LETTERS = 4;
const MAX_JOINED_PARTS = 8;
const MAX_LENGTH_DIFFERENCE = 2;
const MAX_FOREIGN_DIFFERENCE = 5;

/** Pairs the parts of two names, best first, each part once. The order of the parts does not matter. */
export function alignParts(
  query: readonly NamePart[],
  listed: readonly NamePart[],
  compare: CompareParts,
): PartPairing[] {
  const pairings = singlePairings(query, listed, compare);
  const settled = settledParts(pairings);
  const ofQuery = (run: PartRun, single: number) => compare.run(run, listed[single] as NamePart).score;
  addJoined(
    { parts: query, singles: listed, settled: settled.listed },
    ofQuery,
    ({ start, length }, single, score) => {
      pairings.push({
        query: start,
        queryLength: length,
        listed: single,
        listedLength: 1,
        score,
        how: 'joined',
      });
    },
  );
  const ofListed = (run: PartRun, single: number) =>
    partSimilarity(joinParts(listed, run), query[single] as NamePart).score;
  addJoined(
    { parts: listed, singles: query, settled: settled.query },
    ofListed,
    ({ start, length }, single, score) => {
      pairings.push({
        query: single,
        queryLength: 1,
        listed: start,
        listedLength: length,
        score,
        how: 'joined',
      });
    },
  );
  return choose(pairings.sort(byRank));
}

function singlePairings(
  query: readonly NamePart[],
  listed: readonly NamePart[],
  compare: CompareParts,
): PartPairing[] {
  const pairings: PartPairing[] = [];
  for (let left = 0; left < query.length; left++) {
    for (let right = 0; right < listed.length; right++) {
      const { score, how } = compare.part(left, listed[right] as NamePart);
      if (score < MIN_SCORE) continue;
      pairings.push({ query: left, queryLength: 1, listed: right, listedLength: 1, score, how });
    }
  }
  return pairings;
}

/** The parts that already have a very similar partner and need no joining, one bit per part. */
function settledParts(pairings: readonly PartPairing[]): { query: number; listed: number } {
  const settled = { query: 0, listed: 0 };
  for (const { query, listed, score } of pairings) {
    if (score < SETTLED_SCORE) continue;
    settled.query |= 1 << query;
    settled.listed |= 1 << listed;
  }
  return settled;
}

interface JoiningNames {
  /** The name of which parts are joined. */
  parts: readonly NamePart[];
  /** The name of which single parts are compared with the joined ones. */
  singles: readonly NamePart[];
  /** The single parts that need no joining, one bit per part. */
  settled: number;
}

/** Finds runs of at least two parts that, joined, are similar to one part of the other name. */
function addJoined(
  { parts, singles, settled }: JoiningNames,
  scoreOf: (run: PartRun, single: number) => number,
  onFound: (run: PartRun, single: number, score: number) => void,
): void {
  for (let single = 0; single < singles.length; single++) {
    const whole = singles[single] as NamePart;
    if ((settled & (1 << single)) !== 0) continue;
    if ((whole.text.length < MIN_JOINED_LETTERS && whole.native === '') || whole.kind === 'number') continue;
    for (let start = 0; start < parts.length - 1; start++) {
      const longest = runLength(parts, start, whole);
      for (let length = 2; length <= longest; length++) {
        const run = { start, length };
        const isForeign = whole.native !== '' || isForeignRun(parts, run);
        if (lettersOfRun(parts, run) < whole.text.length - maxLetterDifference(isForeign)) continue;
        const score = scoreOf(run, single);
        if (score >= (isForeign ? MIN_FOREIGN_JOINED_SCORE : MIN_JOINED_SCORE))
          onFound(run, single, score * JOINED);
      }
    }
  }
}

/** Maximum difference in letters. Romanised words of other scripts may be much longer or shorter than the Latin name. */
function maxLetterDifference(isForeign: boolean): number {
  return isForeign ? MAX_FOREIGN_DIFFERENCE : MAX_LENGTH_DIFFERENCE;
}

/** The number of parts from `start` on that fit into the letters of `whole`. */
function runLength(parts: readonly NamePart[], start: number, whole: NamePart): number {
  const letters = whole.text.length + maxLetterDifference(whole.native !== '' || parts[start]?.native !== '');
  let sum = 0;
  let length = 0;
  while (start + length < parts.length && length < MAX_JOINED_PARTS) {
    sum += (parts[start + length] as NamePart).text.length;
    if (sum > letters) break;
    length++;
  }
  return length;
}

/** Sorts the best first, then longer runs, then earlier ones, so that equal names are always paired in the same way. */
function byRank(left: PartPairing, right: PartPairing): number {
  return (
    right.score - left.score ||
    right.queryLength + right.listedLength - left.queryLength - left.listedLength ||
    left.query - right.query ||
    left.listed - right.listed
  );
}

function choose(ranked: readonly PartPairing[]): PartPairing[] {
  const chosen: PartPairing[] = [];
  let queryTaken = 0;
  let listedTaken = 0;
  for (const pairing of ranked) {
    const queryBits = runBits(pairing.query, pairing.queryLength);
    const listedBits = runBits(pairing.listed, pairing.listedLength);
    if ((queryTaken & queryBits) !== 0 || (listedTaken & listedBits) !== 0) continue;
    queryTaken |= queryBits;
    listedTaken |= listedBits;
    chosen.push(pairing);
  }
  return chosen;
}

/** The bits of a run, one bit per part; a name has at most 24 parts. */
function runBits(start: number, length: number): number {
  return ((1 << length) - 1) << start;
}
