import { doubleMetaphone } from 'double-metaphone';
import type { HeardPart, NamePart } from './name-part.ts';
import { hangulSounds } from './scripts/hangul.ts';
import { soundsOf } from './sounds.ts';

/** The sounds of the romanised part. */
export function soundsOfPart(part: NamePart): string {
  return (heardOf(part).sounds ??= soundsOf(part.text));
}

/** Like `soundsOfPart`, but vowels spelled long are distinguished as U and I. */
export function longSoundsOfPart(part: NamePart): string {
  return (heardOf(part).longSounds ??= soundsOf(part.text.replace(/o[ou]/g, 'U').replace(/ee/g, 'I')));
}

/** The sounds of a Korean part, from its Hangul. */
export function koreanSoundsOfPart(part: NamePart): string {
  return (heardOf(part).koreanSounds ??= soundsOf(hangulSounds(part.native)));
}

/** Whether two Latin words have a phonetic code in common. */
export function soundAlike(left: NamePart, right: NamePart): boolean {
  const [primary, secondary] = codesOf(left);
  const [otherPrimary, otherSecondary] = codesOf(right);
  if (primary.length < 2 || otherPrimary.length < 2) return false;
  return primary === otherPrimary || primary === otherSecondary || secondary === otherPrimary;
}

function codesOf(part: NamePart): [string, string] {
  return (heardOf(part).codes ??= doubleMetaphone(part.text));
}

function heardOf(part: NamePart): HeardPart {
  return (part.heard ??= {});
}
