import { cleanText, isOfPlainWords } from '../sanctions/letters/fold-word.ts';
import { AND_OR } from './name-separators.ts';

/** A run of signs is tried only from its beginning: tried from each of its signs, a long one costs a multiple. */
const EDGES = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{M}\p{N}.])[^\p{L}\p{M}\p{N}.]+$/gu;
const BLANKS = /\s{2,}/gu;
/** A new line or a tab stands between two names, whatever blanks are around it. */
const BETWEEN_NAMES = /[\p{Cc}\u2028\u2029]/u;

/** The clean text with "or" for "and/or", and one blank for several: patterns take long runs of blanks apart in many ways. */
export function plainText(text: string): string {
  if (isOfPlainWords(text)) return text;
  return cleanText(text).replace(BLANKS, oneBlank).replace(AND_OR, ' or ');
}

function oneBlank(blanks: string): string {
  return BETWEEN_NAMES.exec(blanks)?.[0] ?? ' ';
}

/** The text without signs around it. */
export function trimmed(text: string): string {
  if (isOfPlainWords(text)) return text;
  return text.replace(EDGES, '').trim();
}
