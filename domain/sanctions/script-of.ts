export type Script = 'latin' | 'arabic' | 'hebrew' | 'hangul' | 'kana' | 'han' | 'greek' | 'other';

/** A word as read: Latin letters, and its own letters where they are not Latin. */
export interface ReadWord {
  text: string;
  native: string;
  script: Script;
}

const SCRIPTS: readonly [Script, RegExp][] = [
  ['hebrew', /\p{sc=Hebrew}/u],
  ['arabic', /\p{sc=Arabic}/u],
  ['hangul', /\p{sc=Hangul}/u],
  ['kana', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['han', /\p{sc=Han}/u],
  ['greek', /\p{sc=Greek}/u],
];
const BEYOND_LATIN = /[^\p{ASCII}\u0080-\u024f\u1e00-\u1eff]/u;

/** The script that decides how a word is read. Kana before Han: a Japanese word may mix both. */
export function scriptOf(word: string): Script {
  if (!BEYOND_LATIN.test(word)) return 'latin';
  return SCRIPTS.find(([, letters]) => letters.test(word))?.[0] ?? 'other';
}
