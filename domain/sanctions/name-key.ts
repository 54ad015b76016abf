import { cleanText, splitWords } from './fold-word.ts';
import { readWord } from './read-word.ts';

/** As far as the engine reads a name. */
const MAX_LETTERS = 1_000;

/**
 * The form of a name in which PostgreSQL compares trigrams: its words in lower-case ASCII, romanised as the engine does
 * it, joined by single blanks. Empty when the name has no letter and no digit.
 */
export function nameKey(text: string): string {
  const words = splitWords(cleanText(text.slice(0, MAX_LETTERS)).replaceAll('&', ' and '));
  return words
    .flatMap((word) => readWord(word, words.length === 1))
    .map((word) => word.text)
    .join(' ');
}
