import { scriptOf } from '../sanctions/letters/script-of.ts';

const LETTER = /\p{L}/u;
const NO_LETTERS = /\P{L}+/gu;
const LATIN = /\p{sc=Latin}/u;
const UNLIKE_LATIN =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Arabic}\\p{sc=Hebrew}]';
/** Where letters of a script that nobody takes for Latin stand beside Latin ones: "王小明Wang Xiaoming". */
const GLUED_SCRIPTS = new RegExp(
  `(?<=${UNLIKE_LATIN})(?=\\p{sc=Latin})|(?<=\\p{sc=Latin})(?=${UNLIKE_LATIN})`,
  'gu',
);

/**
 * The words of each script, where a text has words in several: "Anna Keller Анна Келлер" is one name twice, and each half would
 * lack the other's words. Empty for a text in one script.
 */
export function namesByScript(text: string): string[] {
  const words = text.replace(GLUED_SCRIPTS, ' ').split(/\s+/u);
  const ofScript = new Map<string, string[]>();
  for (const word of words) {
    if (!LETTER.test(word)) continue;
    const script = scriptOfName(word);
    const known = ofScript.get(script);
    if (known === undefined) ofScript.set(script, [word]);
    else known.push(word);
  }
  return ofScript.size < 2 ? [] : [...ofScript.values()].map((one) => one.join(' '));
}

/** Japanese names have Kana and Han in one word. */
function scriptOfName(word: string): string {
  if (LATIN.test(word)) return 'latin';
  const script = scriptOf(word.replace(NO_LETTERS, ''));
  return script === 'kana' ? 'han' : script;
}
