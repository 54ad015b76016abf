import { splitWords } from '../sanctions/letters/fold-word.ts';
import { isPureTitle } from '../sanctions/titles.ts';

/** The words without titles. */
export function wordsOf(text: string): string[] {
  return splitWords(text).filter((word) => !isPureTitle(word));
}

export const isName = (text: string): boolean => wordsOf(text).length > 0;
export const isWholeName = (text: string): boolean => wordsOf(text).length > 1;
