import { cleanText } from '../sanctions/letters/fold-word.ts';
import { AND_OR } from './name-separators.ts';

const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}.]+$/gu;

/** The clean text with "or" for "and/or". */
export function plainText(text: string): string {
  return cleanText(text).replace(AND_OR, ' or ');
}

/** The text without signs around it. */
export function trimmed(text: string): string {
  return text.replace(EDGES, '').trim();
}
