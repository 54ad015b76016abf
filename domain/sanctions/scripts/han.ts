import { foldWord } from '../letters/fold-word.ts';
import type { ReadWord, WordRole } from '../letters/script-of.ts';

/** Chinese family names with two characters; all others have one. */
const LONG_FAMILY_NAMES = new Set(
  '欧阳 歐陽 司马 司馬 上官 诸葛 諸葛 东方 東方 皇甫 尉迟 尉遲 公孙 公孫 慕容 司徒 令狐 夏侯 宇文 长孙 長孫 独孤 獨孤 南宫 南宮'.split(
    ' ',
  ),
);
const MAX_NAME_LETTERS = 4;

/** Reads a Han word. A whole name of two to four characters is split into family and given name; longer ones are foreign. */
export function readHan(word: string, role: WordRole): ReadWord[] {
  const letters = Array.from(word);
  if (role !== 'WHOLE_NAME' || letters.length < 2 || letters.length > MAX_NAME_LETTERS)
    return [hanWord(word)];
  const family = letters.length > 2 && LONG_FAMILY_NAMES.has(letters.slice(0, 2).join('')) ? 2 : 1;
  return [hanWord(letters.slice(0, family).join('')), hanWord(letters.slice(family).join(''))];
}

/** A word in its Mandarin reading without tones. */
function hanWord(word: string): ReadWord {
  return { text: foldWord(word), native: word, script: 'han' };
}
