import anyAscii from 'any-ascii';

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u0640]/gu;
const ASCII = /^[\x20-\x7e]*$/;
/** Dropped, not separating: "Al-Qa'ida" and "Al-Qaida", "A.B.C." and "ABC" are the same letters. */
const SILENT = /['’‘ʼʻ`´ʿʾ′"“”„.]/gu;
const NOT_ALPHANUMERIC = /[^a-z0-9]+/g;

/** Hebrew letters whose apostrophe makes them another sound, as the letter of that sound in the wider Arabic script. */
const GERESH: Record<string, string> = { צ: 'چ', ץ: 'چ', ג: 'ج', ז: 'ژ' };
const WITH_GERESH = /([צץגז])['’׳]/gu;

/** Compatibility forms and invisible characters away: what looks the same is the same from here on. */
export function cleanText(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(WITH_GERESH, (_, letter: string) => GERESH[letter] ?? letter);
}

/** A Latin, Cyrillic, Greek, … word in lower-case ASCII letters and digits; may be empty. */
export function foldWord(word: string): string {
  const ascii = ASCII.test(word) ? word : anyAscii(word);
  return ascii.toLowerCase().replace(NOT_ALPHANUMERIC, '');
}

/** The words of a clean text: letters, marks and digits hold together, apostrophes and dots are dropped. */
export function splitWords(text: string): string[] {
  return text
    .replace(SILENT, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}
