import { isOfPlainWords } from '../sanctions/letters/fold-word.ts';
import { PARTICULARS, FIELD } from './field-labels.ts';
import { joinsApart } from './glued-joins.ts';
import {
  BIRTH_NAME,
  CALLED,
  FOR,
  JOINED,
  JOINED_PERHAPS,
  JOINED_WHOLE,
  PART_OF,
  RENAMED,
  SURELY_FOR,
} from './name-separators.ts';
import { APART_IN_HAN, GLUED_TITLE, HUMP } from './names-within.ts';
import { namesByScript } from './names-by-script.ts';
import { plainText } from './plain-text.ts';
import { hasRole } from './roles.ts';

/** Words of letters with single blanks between them: no sign parts two names. */
const WORDS = /^\p{L}[\p{L}\p{M}]*(?: \p{L}[\p{L}\p{M}]*)*$/u;

/** All words that part or introduce names. Signs need no pattern here. */
const PARTING = [
  CALLED,
  RENAMED,
  BIRTH_NAME,
  JOINED,
  JOINED_PERHAPS,
  JOINED_WHOLE,
  FOR,
  SURELY_FOR,
  PART_OF,
  FIELD,
  PARTICULARS,
];

/**
 * Whether a text is one name for sure, in which no other is written: most are, and taking them apart in every way would cost
 * a quarter of their search.
 */
export function isOneName(text: string): boolean {
  const plain = plainText(text);
  if (!WORDS.test(plain) || HUMP.test(plain) || GLUED_TITLE.test(plain)) return false;
  if (APART_IN_HAN.test(plain.trim())) return false;
  if (!isOfPlainWords(plain) && namesByScript(plain).length > 0) return false;
  if (joinsApart(plain).length > 0) return false;
  return PARTING.every((pattern) => plain.search(pattern) < 0) && !hasRole(plain);
}
