import anyAscii from 'any-ascii';

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u0640]/gu;
const ASCII = /^[\x20-\x7e]*$/;
/** Characters that are dropped and do not separate words: "Qa'ida" equals "Qaida", "A.B.C." equals "ABC". */
const SILENT = /['’‘ʼʻ`´ʿʾ′"“”„.]/gu;
const NOT_ALPHANUMERIC = /[^a-z0-9]+/g;

/** Hebrew letters whose sound changes with an apostrophe, and the extended Arabic letter with that sound. */
const GERESH: Record<string, string> = { צ: 'چ', ץ: 'چ', ג: 'ج', ז: 'ژ' };
const WITH_GERESH = /([צץגז])['’׳]/gu;

/** Removes compatibility forms and invisible characters, so that texts that look equal are equal. */
export function cleanText(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(WITH_GERESH, (_, letter: string) => GERESH[letter] ?? letter);
}

/** A Latin, Cyrillic, Greek … word in lower-case ASCII letters and digits; may be empty. */
export function foldWord(word: string): string {
  const ascii = ASCII.test(word) ? word : anyAscii(word);
  return ascii.toLowerCase().replace(NOT_ALPHANUMERIC, '');
}

/** The words of a clean text: sequences of letters, marks and digits. Apostrophes and dots are dropped. */
export function splitWords(text: string): string[] {
  return text
    .replace(SILENT, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}
