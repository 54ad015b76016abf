import anyAscii from 'any-ascii';

const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * Whether a text has only the characters that the 2023 version allows outside of local names. The version of 2020
 * allows letters, digits, apostrophe and space alone, which nobody keeps to.
 */
export function isLatin(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
}

/** A text spelt with the characters that the standard allows; empty if nothing of it can be spelt so. */
export function latinSpelling(text: string): string {
  if (isLatin(text)) return text;
  return anyAscii(text)
    .replace(/[^ -~]/g, ' ')
    .trim()
    .replace(/ +/g, ' ');
}

/** The beginning of a text, never with half of a surrogate pair. */
export function cut(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/\p{Surrogate}$/u, '')
    .trimEnd();
}
