import { splitWords } from '../sanctions/letters/fold-word.ts';
import { isPureTitle } from '../sanctions/titles.ts';

/** Family and given name together. */
const UNSPACED = /^(?:\p{sc=Han}{2,}|\p{sc=Hangul}{3,})$/u;

/** The words without titles. */
export function wordsOf(text: string): string[] {
  return splitWords(text).filter((word) => !isPureTitle(word));
}

export const isName = (text: string): boolean => wordsOf(text).length > 0;
/** A name of several words, or one in Han or Hangul, which are written without spaces. */
export const isWholeName = (text: string): boolean => {
  const words = wordsOf(text);
  return words.length > 1 || words.some((word) => UNSPACED.test(word));
};
