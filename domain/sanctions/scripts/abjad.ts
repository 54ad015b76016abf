import type { ReadWord } from '../letters/script-of.ts';

/** Spelling variants of letters: alef with marks, Persian and Arabic yeh and kaf, Hebrew final forms. */
const SAME_LETTER: Record<string, string> = {
  أ: 'ا',
  إ: 'ا',
  ٱ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ے: 'ي',
  ئ: 'ي',
  ؤ: 'و',
  ک: 'ك',
  ڪ: 'ك',
  ہ: 'ه',
  ھ: 'ه',
  ۀ: 'ه',
  ە: 'ه',
  ۃ: 'ة',
  ټ: 'ت',
  ٹ: 'ت',
  ډ: 'د',
  ڈ: 'د',
  ړ: 'ر',
  ڑ: 'ر',
  ں: 'ن',
  ڼ: 'ن',
  ښ: 'ش',
  ږ: 'ژ',
  ځ: 'ز',
  څ: 'س',
  ڤ: 'ف',
  ڭ: 'گ',
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
};
const MARKS = /[\p{M}ء'׳״]/gu;
const LATIN_OF: Record<string, string> = Object.fromEntries(
  (
    'ا:a ب:b پ:p ت:t ث:th ج:j چ:ch ح:h خ:kh د:d ذ:dh ر:r ز:z ژ:zh س:s ش:sh ص:s ض:d ط:t ظ:z ع:a غ:gh ف:f ق:q ' +
    'ك:k گ:g ل:l م:m ن:n ه:h و:w ي:y ة:a א:a ב:b ג:g ד:d ה:h ו:v ז:z ח:h ט:t י:y כ:k ל:l מ:m נ:n ס:s ע:a פ:p צ:ts ' +
    'ק:k ר:r ש:sh ת:t'
  )
    .split(' ')
    .map((pair): [string, string] => [pair.charAt(0), pair.slice(2)]),
);
/** The article, if at least three letters follow; not in the name of God. */
const ARABIC_ARTICLE = /^ال(?=.{3})(?!له$|لة$)/u;
/** Letters before which the l of the article is silent. */
const SUN_LETTER = /^[تثدذرزسشصضطظلن]/u;
/** The spelling of ch in foreign names. */
const ARABIC_CH = /تش/gu;
const SON_OF = new Set(['بن', 'ابن', 'بنت', 'بنو', 'בנ', 'בר', 'בת']);

/** Reads an Arabic or Hebrew word: removes marks, unifies letter variants, splits off an attached article. */
export function readAbjad(word: string, script: 'arabic' | 'hebrew'): ReadWord[] {
  const letters = Array.from(word.normalize('NFC').replace(MARKS, ''), sameLetter)
    .join('')
    .replace(ARABIC_CH, 'چ');
  if (letters === 'ال') return [{ text: 'al', native: letters, script }];
  if (SON_OF.has(letters)) return [{ text: 'bin', native: letters, script }];
  if (script === 'arabic' && ARABIC_ARTICLE.test(letters)) {
    const rest = letters.replace(ARABIC_ARTICLE, '');
    const article = { text: 'al', native: SUN_LETTER.test(rest) ? 'ا' : 'ال', script };
    return [article, { text: romanise(rest), native: rest, script }];
  }
  return [{ text: romanise(letters), native: letters, script }];
}

function sameLetter(letter: string): string {
  return SAME_LETTER[letter] ?? letter;
}

/** Romanises without the unwritten vowels; for display and candidate search, never for the score. */
function romanise(letters: string): string {
  return Array.from(letters, (letter) => LATIN_OF[letter] ?? (/[a-z0-9]/.test(letter) ? letter : '')).join(
    '',
  );
}
