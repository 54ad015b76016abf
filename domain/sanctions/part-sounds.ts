import { doubleMetaphone } from 'double-metaphone';
import type { NamePart } from './name-part.ts';
import { hangulSounds } from './scripts/hangul.ts';
import { soundsOf } from './sounds.ts';

/** The sounds of the romanised word. */
export function soundsOfPart({ text, heard }: NamePart): string {
  return (heard.sounds ??= soundsOf(text));
}

/** The same with the vowels that are spelled long kept apart. */
export function longSoundsOfPart({ text, heard }: NamePart): string {
  return (heard.longSounds ??= soundsOf(text.replace(/o[ou]/g, 'U').replace(/ee/g, 'I')));
}

/** The sounds of a Korean word, from its own script. */
export function koreanSoundsOfPart({ native, heard }: NamePart): string {
  return (heard.foreignSounds ??= soundsOf(hangulSounds(native)));
}

/** Whether two Latin words have a phonetic code in common. */
export function soundAlike(left: NamePart, right: NamePart): boolean {
  const [primary, secondary] = codesOf(left);
  const [otherPrimary, otherSecondary] = codesOf(right);
  if (primary.length < 2 || otherPrimary.length < 2) return false;
  return primary === otherPrimary || primary === otherSecondary || secondary === otherPrimary;
}

function codesOf({ text, heard }: NamePart): [string, string] {
  return (heard.codes ??= doubleMetaphone(text));
}
