export type Script = 'latin' | 'arabic' | 'hebrew' | 'hangul' | 'kana' | 'han' | 'greek' | 'other';

/** A word in Latin letters, and in its original letters if it is not Latin. */
export interface ReadWord {
  text: string;
  native: string;
  script: Script;
}

/** Whether a word is all that a name consists of. */
export type WordRole = 'WHOLE_NAME' | 'PART_OF_NAME';

const SCRIPTS: readonly [Script, RegExp][] = [
  ['hebrew', /\p{sc=Hebrew}/u],
  ['arabic', /\p{sc=Arabic}/u],
  ['hangul', /\p{sc=Hangul}/u],
  ['kana', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['han', /\p{sc=Han}/u],
  ['greek', /\p{sc=Greek}/u],
];
const BEYOND_LATIN = /[^\p{ASCII}\u0080-\u024f\u1e00-\u1eff]/u;

/** The script by which a word is read. Kana precedes Han, as a Japanese word may contain both. */
export function scriptOf(word: string): Script {
  if (!BEYOND_LATIN.test(word)) return 'latin';
  return SCRIPTS.find(([, letters]) => letters.test(word))?.[0] ?? 'other';
}
