import anyAscii from 'any-ascii';
import lookAlikes from '../../../data/name-words/look-alikes.json' with { type: 'json' };

/** Letters in brackets, circles and squares and regional indicators, which NFKC splits or leaves as symbols. */
const ENCLOSED =
  /[\u249c-\u24b5\u{1f110}-\u{1f129}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
/** Two regional indicators, which are shown as a flag. */
const FLAG = /(?<![\u{1f1e6}-\u{1f1ff}])[\u{1f1e6}-\u{1f1ff}]{2}(?![\u{1f1e6}-\u{1f1ff}])/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const NOT_A_LETTER = /[^A-Za-z]/g;

const LATIN = /\p{sc=Latin}/u;
const FOREIGN = /(?!\p{sc=Latin})\p{L}/u;
const FOREIGN_LETTERS = new RegExp(FOREIGN, 'gu');
/** Scripts whose letters nobody takes for Latin ones. */
const UNLIKE_LATIN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Arabic}\p{sc=Hebrew}]/u;
const ALPHABETS = [/\p{sc=Cyrillic}/u, /\p{sc=Greek}/u];

/** Latin letters by the letters of other scripts that look like them, and those letters by the Latin one, by script. */
const latinOf = new Map(
  Object.entries(lookAlikes).flatMap(([latin, letters]) =>
    Array.from(letters, (letter): [string, string] => [letter, latin]),
  ),
);
/** Mongolian and Kazakh documents have У and Ү as different letters, so only У, as on number plates, is Y in a number. */
const NO_CAPITAL = 'Ү';
const capitalOf = new Map(
  [...latinOf].filter(([letter, latin]) => /[A-Z]/.test(latin) && letter !== NO_CAPITAL),
);
const foreignOf = ALPHABETS.map((script) => ({ script, letters: lettersOf(script) }));

function lettersOf(script: RegExp): Map<string, string> {
  const found = Object.entries(lookAlikes).flatMap(([latin, letters]): [string, string][] => {
    const letter = Array.from(letters).find((one) => script.test(one));
    return letter === undefined ? [] : [[latin, letter]];
  });
  return new Map(found);
}

/** The text with letters in brackets, circles and squares as plain letters. Flags beside other letters are left out. */
export function withoutEnclosures(text: string): string {
  const unflagged = text.replace(FLAG, ' ');
  const shown = LETTER_OR_DIGIT.test(unflagged) ? unflagged : text;
  return shown.replace(ENCLOSED, (letter) => anyAscii(letter).replace(NOT_A_LETTER, ''));
}

/**
 * A word in one script: one of Latin letters and letters of another script is read as the word that it looks like. A word
 * in one script already is unchanged.
 */
export function inOneScript(word: string): string {
  if (!FOREIGN.test(word) || !LATIN.test(word) || UNLIKE_LATIN.test(word)) return word;
  const letters = Array.from(word.normalize('NFD'));
  if (letters.every((letter) => !FOREIGN.test(letter) || latinOf.has(letter))) return toLatin(letters);
  const foreign = foreignOf.find(
    ({ script, letters: known }) =>
      script.test(word) && letters.every((letter) => !LATIN.test(letter) || known.has(letter)),
  );
  if (!foreign) return toLatin(letters);
  return letters
    .map((letter) => foreign.letters.get(letter) ?? letter)
    .join('')
    .normalize('NFC');
}

/** Letters without a Latin look-alike stay, and are read by their sound. */
function toLatin(letters: readonly string[]): string {
  return letters
    .map((letter) => latinOf.get(letter) ?? letter)
    .join('')
    .normalize('NFC');
}

/** The name in the Latin letters that all of its letters look like; undefined if one has none, or all are Latin. */
export function latinLookAlike(name: string): string | undefined {
  if (!FOREIGN.test(name)) return undefined;
  const letters = Array.from(name.normalize('NFD'));
  const foreign = letters.filter((letter) => FOREIGN.test(letter));
  if (foreign.length === 0 || !foreign.every((letter) => latinOf.has(letter))) return undefined;
  return toLatin(letters);
}

/** The text with each letter that looks like a Latin capital as that capital. Other letters stay. */
export function latinCapitals(text: string): string {
  return text.replace(FOREIGN_LETTERS, (letter) => capitalOf.get(letter) ?? letter);
}
