import type { Script } from './letters/script-of.ts';

/** Costs for comparing the words of a script with Latin words, as the script does not distinguish all sounds. */
interface SoundCosts {
  /** Replacing one vowel by another. */
  vowel: number;
  /** An extra vowel in the foreign word, and a missing one. */
  extraVowel: number;
  missingVowel: number;
  /** Groups of sounds with the same spelling. */
  alike: readonly string[];
  /** Groups of similar sounds. */
  near: readonly string[];
}

const NEAR = ['kgXGh', 'pbfv', 'tdTD', 'szSCJZT', 'lr', 'mn', 'nN', 'wuv', 'yi', 'Jyg'];
/** For Cyrillic, Armenian and Georgian: kh may be h, and foreign j, i and y are interchangeable. */
const LETTER_BY_LETTER: SoundCosts = {
  vowel: 0.5,
  extraVowel: 0.7,
  missingVowel: 0.7,
  alike: ['Xh', 'iy', 'kg', 'JZz', 'CZ', 'sS', 'sz', 'wv', 'eo', 'Jg'],
  near: [...NEAR, 'XJ', 'JC'],
};
const HEARING: Partial<Record<Script, SoundCosts>> = {
  hangul: {
    vowel: 0.7,
    extraVowel: 0.6,
    missingVowel: 0.7,
    alike: ['kgqG', 'tdTD', 'pbfv', 'lr', 'JCzZ', 'sS', 'wu', 'yi'],
    near: [...NEAR, 'ou', 'eo', 'EuoeiA'],
  },
  kana: {
    vowel: 0.45,
    extraVowel: 0.25,
    missingVowel: 0.5,
    alike: ['lr', 'bv', 'fh', 'sT', 'zDZJ', 'C', 'sS', 'kX', 'gG', 'wu', 'yi'],
    near: NEAR,
  },
  han: {
    vowel: 0.45,
    extraVowel: 0.4,
    missingVowel: 0.5,
    alike: ['lr', 'bpf', 'dt', 'gk', 'vwf', 'wu', 'yi', 'sT', 'SX'],
    near: NEAR,
  },
  other: LETTER_BY_LETTER,
  greek: {
    vowel: 0.4,
    extraVowel: 0.6,
    missingVowel: 0.6,
    alike: ['sSCJz', 'iy', 'vb', 'CXh', 'dD', 'tT', 'eo', 'ie', 'gGy', 'Zs'],
    near: NEAR,
  },
};
const VOWELS = 'aeiou';
/** The Korean vowel that only separates consonants. */
const FILLER = 'Y';
const FILLER_COST = 0.1;
const NEAR_COST = 0.5;
const ALIKE_COST = 0.05;
/** The cost of faint sounds: h, w, y, and the initial r of Korean family names. */
const LIGHT = 0.25;
const INITIAL_R = 114;
const MAX_SOUNDS = 40;

const CODES = 128;
const tables = new Map<Script, CostTable>();
for (const [script, hearing] of Object.entries(HEARING)) tables.set(script as Script, costTable(hearing));
const rows = [new Float64Array(MAX_SOUNDS + 1), new Float64Array(MAX_SOUNDS + 1)] as const;

/** Costs by sound code: of a replacement, of an extra foreign sound, of an extra Latin sound. */
interface CostTable {
  change: Float64Array;
  extra: Float64Array;
  missing: Float64Array;
}

/** Whether words of this script are compared with Latin ones by sound. */
export function hasHearing(script: Script): boolean {
  return tables.has(script);
}

/**
 * The cost of hearing `foreign` (sounds of a word in that script) as `latin` (sounds of a Latin word). Infinity as soon as
 * the cost must exceed `limit`.
 */
export function soundDistance(foreign: string, latin: string, script: Script, limit = Infinity): number {
  const table = tables.get(script);
  if (table === undefined) return Infinity;
  const { change, extra, missing } = table;
  const left = foreign.slice(0, MAX_SOUNDS);
  const right = latin.slice(0, MAX_SOUNDS);
  let last: Float64Array = rows[0];
  let current: Float64Array = rows[1];
  last[0] = 0;
  for (let column = 0; column < right.length; column++) {
    last[column + 1] = (last[column] ?? 0) + gapCost(missing, right, column);
  }
  for (let row = 0; row < left.length; row++) {
    const code = left.charCodeAt(row);
    const leftGap = gapCost(extra, left, row);
    let least = (last[0] ?? 0) + leftGap;
    current[0] = least;
    for (let column = 0; column < right.length; column++) {
      const changed = (last[column] ?? 0) + (change[code * CODES + right.charCodeAt(column)] ?? 1);
      const foreignOnly = (last[column + 1] ?? 0) + leftGap;
      const latinOnly = (current[column] ?? 0) + gapCost(missing, right, column);
      const cost = Math.min(changed, foreignOnly, latinOnly);
      current[column + 1] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Infinity;
    [last, current] = [current, last];
  }
  return last[right.length] ?? Infinity;
}

/** The cost of an extra sound. An initial r costs little: Northern Korean family names have it, Southern ones do not. */
function gapCost(costs: Float64Array, sounds: string, index: number): number {
  const code = sounds.charCodeAt(index);
  return index === 0 && code === INITIAL_R ? LIGHT : (costs[code] ?? 1);
}

function costTable(hearing: SoundCosts): CostTable {
  return {
    change: changeCosts(hearing),
    extra: gapCosts(hearing.extraVowel),
    missing: gapCosts(hearing.missingVowel),
  };
}

function gapCosts(vowel: number): Float64Array {
  const costs = new Float64Array(CODES).fill(1);
  for (const sound of VOWELS) costs[sound.charCodeAt(0)] = vowel;
  for (const sound of 'hwy') costs[sound.charCodeAt(0)] = LIGHT;
  costs[FILLER.charCodeAt(0)] = FILLER_COST;
  return costs;
}

/** The costs of replacements. Later entries override earlier ones: vowels, then similar sounds, then equal spellings. */
function changeCosts(hearing: SoundCosts): Float64Array {
  const costs = new Float64Array(CODES * CODES).fill(1);
  const set = (left: string, right: string, cost: number): void => {
    costs[left.charCodeAt(0) * CODES + right.charCodeAt(0)] = cost;
  };
  const fill = (groups: readonly string[], cost: number): void => {
    for (const group of groups) for (const left of group) for (const right of group) set(left, right, cost);
  };
  fill([VOWELS], hearing.vowel);
  for (const vowel of VOWELS) set(FILLER, vowel, 3 * FILLER_COST);
  fill(hearing.near, NEAR_COST);
  fill(hearing.alike, ALIKE_COST);
  for (let code = 0; code < CODES; code++) costs[code * CODES + code] = 0;
  return costs;
}
