import { splitWords } from '../sanctions/letters/fold-word.ts';
import { nameParts } from '../sanctions/name-parts.ts';
import { longestPhrase, organisationPhrase } from '../sanctions/organisation-phrases.ts';
import { readWord } from '../sanctions/read-word.ts';

/** The letters of a legal form that may be a word of a name. */
const SHORT_FORM = 2;

/** Whether the text has a legal form or a word of firms: then "and" mostly belongs to the name. */
export function isFirm(text: string): boolean {
  return nameParts(text, 'organisation').some(({ kind }) => kind === 'form' || kind === 'generic');
}

/** Whether it is a word with a legal form, such as "Huber AG". */
export function hasLegalForm(text: string): boolean {
  const kinds = nameParts(text, 'organisation').map(({ kind }) => kind);
  return kinds.includes('form') && kinds.includes('word');
}

/** Whether a part of a firm's name is the name of a firm or a person itself: not "Sons Ltd" or "Shipping Company". */
export function isFirmName(part: string, minWords = 2): boolean {
  const kinds = nameParts(part, 'organisation').map(({ kind }) => kind);
  return (
    kinds.includes('word') && kinds.filter((kind) => kind === 'word' || kind === 'generic').length >= minWords
  );
}

/** The words before the first word of firms: of "Eva Keller Trading LLC" only the person. Reads each word once. */
export function beforeFirmWords(text: string): string {
  const words = splitWords(text);
  const read = words.flatMap((word, place) =>
    readWord(word, 'PART_OF_NAME').map((one) => ({ text: one.text, place })),
  );
  const kinds = read.map((_, start) => wordOfFirmAt(read, start));
  const end = read[kinds.indexOf('SURE')]?.place ?? words.length;
  const before = words.slice(0, end);
  const forms = new Set(read.filter((_, start) => kinds[start] === 'SHORT').map(({ place }) => place));
  return before.slice(0, before.findLastIndex((_, place) => !forms.has(place)) + 1).join(' ');
}

/** What phrase of firms starts at this word: one as short as "AG" may be a word of a person's name, and is none before others. */
function wordOfFirmAt(read: readonly { text: string }[], start: number): 'SURE' | 'SHORT' | undefined {
  for (let length = longestPhrase(read[start]?.text ?? ''); length > 0; length--) {
    const words = read.slice(start, start + length).map(({ text }) => text);
    const text = words.join(' ');
    const phrase = organisationPhrase(text);
    if (phrase !== undefined) return phrase.kind === 'form' && text.length <= SHORT_FORM ? 'SHORT' : 'SURE';
  }
  return undefined;
}
