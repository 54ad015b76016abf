import { cleanText } from './letters/fold-word.ts';

const SIGN = /[\p{N}@$]/u;
/** Signs for letters: "M@duro", "Mo$es"; not the sign of an e-mail address. */
const SIGN_FOR_A = /(?<=\p{L})@(?=\p{L}+(?:\s|$))/gu;
const SIGN_FOR_S = /(?<=\p{L})\$|\$(?=\p{L})/gu;
const LETTER = /\p{L}/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LETTER_OF_DIGIT: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };

/**
 * The name of a person without years, counts and account numbers, and with the letters that digits and signs within words
 * stand for: "J0hn Keller 1962" is John Keller. Undefined for a name without digits and such signs, or of digits alone.
 */
export function withoutDigits(name: string): string | undefined {
  if (!SIGN.test(name)) return undefined;
  const letters = cleanText(name).replace(SIGN_FOR_A, 'a').replace(SIGN_FOR_S, 's');
  const plain = letters.replace(WORD, (word) => (LETTER.test(word) ? spelledOut(word) : ' '));
  return LETTER.test(plain) ? plain : undefined;
}

function spelledOut(word: string): string {
  return Array.from(word, (sign) => LETTER_OF_DIGIT[sign] ?? sign).join('');
}
