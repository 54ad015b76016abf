import { foldWord } from '../letters/fold-word.ts';
import type { ReadWord } from '../letters/script-of.ts';

const LONG_VOWEL = /ー/gu;

/** Reads a word with Kana, with long vowels shortened: lists write "Taro", "Tarou" and "Tarō" for the same name. */
export function readKana(word: string): ReadWord[] {
  return [{ text: foldWord(word.replace(LONG_VOWEL, '')), native: word, script: 'kana' }];
}
