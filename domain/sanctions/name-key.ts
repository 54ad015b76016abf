import { cleanText, splitWords } from './letters/fold-word.ts';
import { readWord } from './read-word.ts';

/** Maximum number of characters read of a name. */
const MAX_LETTERS = 1_000;

/**
 * The form of a name for trigram comparison in PostgreSQL: its words in lower-case ASCII, romanised like in the engine and
 * joined by single spaces. Empty if the name has no letter and no digit.
 */
export function nameKey(text: string): string {
  const words = splitWords(cleanText(text.slice(0, MAX_LETTERS)).replaceAll('&', ' and '));
  return words
    .flatMap((word) => readWord(word, words.length === 1 ? 'WHOLE_NAME' : 'PART_OF_NAME'))
    .map((word) => word.text)
    .join(' ');
}
