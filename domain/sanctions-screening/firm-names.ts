import { nameParts } from '../sanctions/name-parts.ts';

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
