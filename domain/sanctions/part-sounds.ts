import { doubleMetaphone } from 'double-metaphone';
import type { HeardPart, NamePart } from './name-part.ts';
import { hangulSounds } from './scripts/hangul.ts';
import { soundsOf } from './sounds.ts';

/** The sounds of the romanised word. */
export function soundsOfPart(part: NamePart): string {
  return (heardOf(part).sounds ??= soundsOf(part.text));
}

/** The same with the vowels that are spelled long kept apart. */
export function longSoundsOfPart(part: NamePart): string {
  return (heardOf(part).longSounds ??= soundsOf(part.text.replace(/o[ou]/g, 'U').replace(/ee/g, 'I')));
}

/** The sounds of a Korean word, from its own script. */
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
