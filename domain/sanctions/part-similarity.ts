import { abjadDistance } from './abjad-distance.ts';
import type { NamePart } from './name-part.ts';
import { koreanSoundsOfPart, longSoundsOfPart, soundAlike, soundsOfPart } from './part-sounds.ts';
import { areNicknames } from './person-words.ts';
import { hasHearing, soundDistance } from './sound-distance.ts';
import type { Script } from './letters/script-of.ts';
import { LEAST_LETTER_COST, spellingDistance } from './spelling-distance.ts';

/** The way in which two parts are similar. */
export type PartLikeness =
  'exact' | 'spelling' | 'sound' | 'script' | 'nickname' | 'initial' | 'meaning' | 'joined' | 'different';

export interface PartSimilarity {
  score: number;
  how: PartLikeness;
}

const DIFFERENT: PartSimilarity = { score: 0, how: 'different' };
const EXACT: PartSimilarity = { score: 1, how: 'exact' };
const INITIAL: PartSimilarity = { score: 0.85, how: 'initial' };
const NICKNAME: PartSimilarity = { score: 0.85, how: 'nickname' };
const MEANING: PartSimilarity = { score: 0.9, how: 'meaning' };
const SAME_SOUND = 0.85;
/** Below this spelling similarity, an equal sound code is a coincidence. */
const SOUND_FLOOR = 0.45;
/** Below this score the words are probably different, so the score decreases faster. */
const WEAK_SCORE = 0.72;
const WEAK_SLOPE = 0.8;
/** Maximum score of words in different scripts. */
const SCRIPT_CAP = 0.97;
/** Minimum score of words in different scripts; below it they are different words. */
const SCRIPT_FLOOR = 0.4;
/** Tolerance by which a distance at its limit counts as within it. */
const ROUNDING = 1e-9;
const ABJAD_SLOPE = 1.9;
const ABJAD_FLOOR = 0.74;
/** Factor for the cost of sounds, by script. */
const SOUND_SLOPES: Partial<Record<Script, number>> = { kana: 1.2, greek: 1, other: 1.6 };
const GENDER = 0.5;
const MAX_SILENT = 3;
const MIN_FOREIGN_SYLLABLES = 3;
const MAX_KOREAN_SYLLABLES = 3;
const KOREAN_SLOPE = 2.8;
const KOREAN_FLOOR = 0.6;
const FOREIGN_IN_HANGUL_SLOPE = 1.4;

/** The similarity of two parts, 0 to 1. Symmetric, except for comparisons across scripts. */
export function partSimilarity(left: NamePart, right: NamePart): PartSimilarity {
  if (left.text === right.text && (left.native === right.native || isFixed(left, right))) return EXACT;
  if (left.kind === 'number' || right.kind === 'number') return numberSimilarity(left, right);
  if ((left.kind === 'particle') !== (right.kind === 'particle')) return DIFFERENT;
  if (left.kind === 'form' || right.kind === 'form') return formSimilarity(left, right);
  if (left.kind === 'initial' || right.kind === 'initial') return initialSimilarity(left, right);
  if (left.native !== '' || right.native !== '') return scriptSimilarity(left, right);
  return latinSimilarity(left, right);
}

/** Whether both are articles, "son of" or "servant of", which are read alike in all scripts. */
function isFixed(left: NamePart, right: NamePart): boolean {
  return left.kind === right.kind && left.weight === right.weight && left.weight < 1;
}

function numberSimilarity(left: NamePart, right: NamePart): PartSimilarity {
  return left.kind === right.kind && left.text === right.text ? EXACT : DIFFERENT;
}

function formSimilarity(left: NamePart, right: NamePart): PartSimilarity {
  return left.kind === right.kind && left.meaning === right.meaning ? MEANING : DIFFERENT;
}

function initialSimilarity(left: NamePart, right: NamePart): PartSimilarity {
  if (left.text.charAt(0) !== right.text.charAt(0)) return DIFFERENT;
  return left.kind === right.kind ? EXACT : INITIAL;
}

function latinSimilarity(left: NamePart, right: NamePart): PartSimilarity {
  if (left.meaning !== '' && left.meaning === right.meaning) return MEANING;
  if (areNicknames(left.text, right.text)) return NICKNAME;
  return textSimilarity(left, right);
}

/** Compares two Latin words by spelling, and by sound if the spelling is close. */
function textSimilarity(leftPart: NamePart, rightPart: NamePart): PartSimilarity {
  const [left, right] = [leftPart.text, rightPart.text];
  if (left === right) return EXACT;
  const longer = Math.max(left.length, right.length);
  const limit = maxCost(left.length, right.length);
  const missing = missingLetters(leftPart.letters, rightPart.letters);
  // Most words differ by so many letters that nothing has to be aligned.
  if (missing > longer * 0.6 || missing * LEAST_LETTER_COST > limit) return DIFFERENT;
  const cost = spellingDistance(left, right, limit) + genderCost(left, right);
  const spelling = similarityOf(cost, left.length, right.length);
  if (spelling < SAME_SOUND && spelling >= SOUND_FLOOR && soundAlike(leftPart, rightPart)) {
    return { score: Math.max(spelling, SAME_SOUND), how: 'sound' };
  }
  return { score: spelling, how: 'spelling' };
}

/** The cost of a final a that the other word lacks or has as o: this distinguishes women's from men's names. */
function genderCost(left: string, right: string): number {
  const leftA = left.endsWith('a');
  if (leftA === right.endsWith('a') || left.length < 4 || right.length < 4) return 0;
  const [female, male] = leftA ? [left, right] : [right, left];
  const stem = female.slice(0, -1);
  return male === stem || male === `${stem}o` ? GENDER : 0;
}

/** The score of a cost. Short words tolerate less: one wrong letter in four is more often another name than one in eight. */
function similarityOf(cost: number, leftLength: number, rightLength: number): number {
  const length = (leftLength + rightLength) / 2;
  if (cost > maxCost(leftLength, rightLength)) return 0;
  const score = 1 - cost / length;
  return score < WEAK_SCORE ? Math.max(0, score - (WEAK_SCORE - score) * WEAK_SLOPE) : score;
}

function spelledAlike(left: string, right: string): number {
  const cost = spellingDistance(left, right, maxCost(left.length, right.length));
  return similarityOf(cost, left.length, right.length);
}

function maxCost(leftLength: number, rightLength: number): number {
  const length = (leftLength + rightLength) / 2;
  return length < 3 ? 0.7 : 0.6 + length / 4;
}

/** The number of letters of one word that the other lacks: a lower bound of the edit distance. */
export function missingLetters(left: number, right: number): number {
  return Math.max(bitCount(left & ~right), bitCount(right & ~left));
}

function bitCount(bits: number): number {
  let rest = bits;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count++;
  }
  return count;
}

function scriptSimilarity(left: NamePart, right: NamePart): PartSimilarity {
  if (left.native !== '' && right.native !== '') {
    if (left.script === right.script) return nativeSimilarity(left.native, right.native);
    return scripted(spelledAlike(left.text, right.text));
  }
  return left.native === '' ? foreignSimilarity(right, left) : foreignSimilarity(left, right);
}

function nativeSimilarity(left: string, right: string): PartSimilarity {
  return { score: spelledAlike(left, right), how: 'spelling' };
}

function foreignSimilarity(foreign: NamePart, latin: NamePart): PartSimilarity {
  if (foreign.meaning !== '' && foreign.meaning === latin.meaning) return MEANING;
  if (foreign.script === 'arabic' || foreign.script === 'hebrew') {
    return abjadSimilarity(foreign.native, longSoundsOfPart(latin));
  }
  if (foreign.script === 'han') return hanSimilarity(foreign, latin);
  if (foreign.script === 'hangul') return hangulSimilarity(foreign, soundsOfPart(latin));
  const spelled = textSimilarity(foreign, latin).score;
  if (!hasHearing(foreign.script)) return scripted(spelled);
  const slope = SOUND_SLOPES[foreign.script] ?? 1;
  return scripted(
    Math.max(spelled, heard(soundsOfPart(foreign), soundsOfPart(latin), foreign.script, slope)),
  );
}

/**
 * The similarity of a foreign and a Latin word by sound; a steeper slope tolerates less. Below SCRIPT_FLOOR the result is
 * not exact.
 */
function heard(foreignSounds: string, latinSounds: string, script: Script, slope: number): number {
  const length = (foreignSounds.length + latinSounds.length) / 2;
  const limit = ((1 - SCRIPT_FLOOR) * length) / slope + ROUNDING;
  return 1 - (slope * soundDistance(foreignSounds, latinSounds, script, limit)) / length;
}

/** Korean names of up to three syllables are compared strictly; longer words are foreign names, compared loosely. */
function hangulSimilarity(foreign: NamePart, latinSounds: string): PartSimilarity {
  const foreignSounds = koreanSoundsOfPart(foreign);
  const isName = foreign.native.length <= MAX_KOREAN_SYLLABLES;
  const score = heard(foreignSounds, latinSounds, 'hangul', isName ? KOREAN_SLOPE : FOREIGN_IN_HANGUL_SLOPE);
  return isName && score < KOREAN_FLOOR ? DIFFERENT : scripted(score);
}

/** Compares by consonants, which alone are weak evidence: words that are not nearly equal are different. */
function abjadSimilarity(letters: string, latinSounds: string): PartSimilarity {
  if (letters.length > latinSounds.length + MAX_SILENT) return DIFFERENT;
  const length = Math.max(letters.length, 2);
  const limit = ((1 - ABJAD_FLOOR) * length) / ABJAD_SLOPE + ROUNDING;
  const score = 1 - (ABJAD_SLOPE * abjadDistance(letters, latinSounds, limit)) / length;
  return score < ABJAD_FLOOR ? DIFFERENT : scripted(score);
}

/** Mandarin has few syllables: one or two must be equal; only longer foreign names are compared loosely. */
function hanSimilarity(foreign: NamePart, latin: NamePart): PartSimilarity {
  if (foreign.text === latin.text) return { score: SCRIPT_CAP, how: 'script' };
  if (foreign.native.length < MIN_FOREIGN_SYLLABLES) return DIFFERENT;
  return scripted(heard(soundsOfPart(foreign), soundsOfPart(latin), 'han', 1));
}

function scripted(score: number): PartSimilarity {
  return score < SCRIPT_FLOOR ? DIFFERENT : { score: Math.min(score, SCRIPT_CAP), how: 'script' };
}
