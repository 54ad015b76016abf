/** Replacements for letters that Unicode does not decompose into a base letter and a mark. */
const SPELLED_OUT: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ə: 'e',
  ƀ: 'b',
  ɨ: 'i',
  ɵ: 'o',
  ʉ: 'u',
  ƶ: 'z',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  '‛': "'",
  '′': "'",
  ʼ: "'",
  ʻ: "'",
  '`': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‐': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
};
const SPELLED_OUT_LETTER = new RegExp(`[${Object.keys(SPELLED_OUT).join('')}]`, 'gu');
/** Zero-width and other invisible characters, and the Arabic tatweel: names that look equal must be equal. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u0640]/gu;
/**
 * Accents and vowel points. Excludes the voicing marks of Kana and the marks of other scripts (Devanagari, Thai, …), which
 * change the letter or denote the vowel.
 */
const ACCENT =
  /(?![\u3099\u309a])(?=[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}])\p{M}/gu;
/** Latin words with single blanks between them, as most names are: folding changes only their case. */
const PLAIN_WORDS = /^[A-Za-z]+(?: [A-Za-z]+)*$/;
const SPACES = /[\s\p{Cc}]+/gu;
/** Scripts in which a single character has a meaning and words are not separated. */
const IDEOGRAPH_OR_SYLLABLE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;

const MAX_WORD_LETTERS = 40;
/** More than the 2,000 characters of metadata have words and prefixes. */
const MAX_TERMS = 2_000;
const MIN_PREFIX_LETTERS = 3;

/** Folds case, accents, letter variants and widths and collapses spaces: equal results mean the same name. */
export function foldName(text: string): string {
  if (PLAIN_WORDS.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(ACCENT, '')
    .toLowerCase()
    .replace(SPELLED_OUT_LETTER, (letter) => SPELLED_OUT[letter] ?? letter)
    .normalize('NFC')
    .replace(SPACES, ' ')
    .trim();
}

/** The words of the folded text in order, separated by anything but letters, digits and marks. */
export function searchWords(text: string): string[] {
  return foldName(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
}

/**
 * The search terms of a text: its words and their prefixes of at least 3 letters (Han, Kana, Hangul: 1). At most 2,000,
 * whole words first, so that a long text loses prefixes before words.
 */
export function searchTerms(text: string): string[] {
  const words = queryTerms(text).slice(0, MAX_TERMS);
  const terms = new Set(words);
  for (const word of words) {
    for (const prefix of prefixesOf(word)) {
      if (terms.size >= MAX_TERMS) return [...terms];
      terms.add(prefix);
    }
  }
  return [...terms];
}

/** The terms of a query, all of which a text must have to match. A Latin word of one or two letters matches whole words. */
export function queryTerms(text: string): string[] {
  return [...new Set(searchWords(text).map((word) => firstLetters(word, MAX_WORD_LETTERS)))];
}

function prefixesOf(word: string): string[] {
  const letters = Array.from(word);
  const prefixes = letters.slice(1).map((_, index) => letters.slice(0, index + 1).join(''));
  return prefixes.filter(
    (prefix, index) => index + 1 >= MIN_PREFIX_LETTERS || IDEOGRAPH_OR_SYLLABLE.test(prefix),
  );
}

/** The first letters, by code points: a surrogate pair is never split. */
function firstLetters(word: string, count: number): string {
  return word.length <= count ? word : Array.from(word).slice(0, count).join('');
}
