import { cleanText, isOfPlainWords } from '../sanctions/letters/fold-word.ts';
import { inOneScript } from '../sanctions/letters/look-alikes.ts';
import { AND_OR } from './name-separators.ts';

/** A run of signs is tried only from its beginning: tried from each of its signs, a long one costs a multiple. */
const EDGES = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{M}\p{N}.])[^\p{L}\p{M}\p{N}.]+$/gu;
const BLANKS = /\s{2,}/gu;
/** A new line or a tab stands between two names, whatever blanks are around it. */
const BETWEEN_NAMES = /[\p{Cc}\u2028\u2029]/u;

const ASCII = /^[\p{ASCII}]*$/u;
const MIXED_WORD =
  /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}][\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{M}./]*/gu;
/** "c/o" in Cyrillic letters, which no Cyrillic text has. */
const CARE_OF = /(?<![\p{L}\p{M}\p{N}])[сc]\s?\/\s?[оo](?![\p{L}\p{M}\p{N}])/giu;

/** Signs that look like one of those that part names, by that one. Of brackets only those that no pattern knows. */
const LOOK_ALIKE_SIGNS: readonly [RegExp, string][] = [
  [/[\u02d7\u2010-\u2012\u2212\u207b]/gu, '-'],
  [/[\u2044\u2215\u29f8\u2571]/gu, '/'],
  [/[\u061b\u204f]/gu, ';'],
  [/[\u00a6\u2016\u2223\u2758]/gu, '|'],
  [/[\u2027\u2219\u22c5]/gu, '·'],
  [/[\u276e\u2770]/gu, '<'],
  [/[\u276f\u2771]/gu, '>'],
  [/[\u2039\u203a]/gu, '"'],
  [/[\u275d\u275e]/gu, '"'],
  [/(?![([{„‚「『【《〈〔])\p{Ps}/gu, '('],
  [/(?![)\]}」』】》〉〕])\p{Pe}/gu, ')'],
];

/**
 * The clean text with "or" for "and/or", one blank for several, since patterns take long runs of blanks apart in many ways, and
 * usual signs and letters for those that look like them: "а.k.а." with a Cyrillic а.
 */
export function plainText(text: string): string {
  if (isOfPlainWords(text)) return text;
  return withUsualSigns(cleanText(text)).replace(BLANKS, oneBlank).replace(AND_OR, ' or ');
}

function withUsualSigns(text: string): string {
  if (ASCII.test(text)) return text;
  const signed = LOOK_ALIKE_SIGNS.reduce((signs, [alike, usual]) => signs.replace(alike, usual), text);
  return signed.replace(CARE_OF, 'c/o').replace(MIXED_WORD, inOneScript);
}

function oneBlank(blanks: string): string {
  return BETWEEN_NAMES.exec(blanks)?.[0] ?? ' ';
}

/** The text without signs around it. */
export function trimmed(text: string): string {
  if (isOfPlainWords(text)) return text;
  return text.replace(EDGES, '').trim();
}
