import anyAscii from 'any-ascii';
import { decodeCharacters } from './character-references.ts';
import { withoutEnclosures } from './look-alikes.ts';

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u0640]/gu;
/** Marks that are no part of a letter: around any, over signs, and over Latin ones, where they have no meaning in the names of lists. */
const DECORATION = /\p{Me}+|(?<=\p{sc=Latin}|[^\p{L}\p{M}\p{N}])\p{M}+/gu;
const ASCII = /^[\x20-\x7e]*$/;
/** Characters that are dropped and do not separate words: "Qa'ida" equals "Qaida", "A.B.C." equals "ABC". */
const SILENT = /['’‘ʼʻ`´ʿʾ′"“”„.]/gu;
/**
 * The end of an abbreviation that a word follows without a space: "Mr.Ali", "J.P.Morgan"; not one of "S.A." or "GmbH.". What is
 * before is looked at only from a dot: looked at from each mark of a long run, it costs a multiple.
 */
const GLUED_DOT = /\.(?=\p{L}{3})(?<=\p{L}\p{M}*\.)/gu;
const NOT_ALPHANUMERIC = /[^a-z0-9]+/g;

/** Hebrew letters whose sound changes with an apostrophe, and the extended Arabic letter with that sound. */
const GERESH: Record<string, string> = { צ: 'چ', ץ: 'چ', ג: 'ج', ז: 'ژ' };
const WITH_GERESH = /([צץגז])['’׳]/gu;

/** Benedictions of one sign, which NFKC would write out in up to eighteen letters. They are nobody's name. */
const BENEDICTION = /[\ufdfa\ufdfb]/gu;
/** Marks of footnotes, which NFKC would turn into digits of the word before. */
const RAISED_DIGITS = /(?<=\p{L})[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+/gu;
/** A whole name in letters apart: "B o r i s". Initials are fewer. */
const LETTERS_APART = /^\s*\p{L}\p{M}*(?:\s+\p{L}\p{M}*){5,}\s*$/u;
/**
 * Single letters with any signs between them, emoji among them: "B.o.r.i.s P.e.t.r.o.v", "B😀o😀r😀i😀s". A slash is none: "N/A
 * N/A N/A".
 */
const SIGNS_APART = /^\s*\p{L}\p{M}*(?:[^\p{L}\p{M}\p{N}/]+\p{L}\p{M}*){5,}[^\p{L}\p{M}\p{N}/]*$/u;
/** A word of so many letters between signs, beside others: "B.a.r.n.a.b.a.s Miller". */
const WORD_APART =
  /(?<![\p{L}\p{M}\p{N}])\p{L}\p{M}*(?:[^\p{L}\p{M}\p{N}\s]{1,3}\p{L}\p{M}*){5,}(?![\p{L}\p{M}\p{N}])/gu;
const SIGNS = /[^\p{L}\p{M}\p{N}\s]+/gu;

/** Latin words with single blanks between them, as most names are. The first has two letters, so that none is in letters apart. */
const PLAIN_WORDS = /^[A-Za-z]{2,}(?: [A-Za-z]+)*$/;
/** The same with commas, as lists write "KELLER, Anna": there is nothing to clean in it. */
const CLEAN_WORDS = /^[A-Za-z]{2,}(?:,? [A-Za-z]+)*$/;

/** Whether a text is of Latin words alone, which no rule of cleaning changes. */
export function isOfPlainWords(text: string): boolean {
  return PLAIN_WORDS.test(text);
}

/**
 * Removes compatibility forms, enclosed letters, invisible characters, footnote marks, encodings of HTML and addresses and
 * spaces and signs between all letters, so that texts that look equal are equal.
 */
export function cleanText(text: string): string {
  if (CLEAN_WORDS.test(text)) return text;
  const plain = withoutSigns(plainText(decodeCharacters(text)));
  return LETTERS_APART.test(plain) ? plain.replace(/\s+/gu, '') : plain;
}

function withoutSigns(text: string): string {
  if (SIGNS_APART.test(text)) return text.replace(SIGNS, '');
  return text.replace(WORD_APART, (word) => word.replace(SIGNS, ''));
}

function plainText(text: string): string {
  if (ASCII.test(text)) return text;
  return withoutEnclosures(text)
    .replace(BENEDICTION, ' ')
    .replace(RAISED_DIGITS, '')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(DECORATION, '')
    .replace(WITH_GERESH, (_, letter: string) => GERESH[letter] ?? letter);
}

/** A Latin, Cyrillic, Greek … word in lower-case ASCII letters and digits; may be empty. */
export function foldWord(word: string): string {
  const ascii = ASCII.test(word) ? word : anyAscii(word);
  return ascii.toLowerCase().replace(NOT_ALPHANUMERIC, '');
}

/** The words of a clean text: sequences of letters, marks and digits. Apostrophes are dropped, and dots but before a word. */
export function splitWords(text: string): string[] {
  if (isOfPlainWords(text)) return text.split(' ');
  return text
    .replace(GLUED_DOT, ' ')
    .replace(SILENT, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}
