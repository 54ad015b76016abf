import { cleanLine, isNumber, lengthBeforePlaces, nameLength } from './behind-name.ts';
import { splitWords } from './letters/fold-word.ts';
import { isPureTitle } from './titles.ts';

/** What stands before a name: an account, an executor, a form of address, a payment's "from", a firm whose owner follows. */
const BEFORE =
  /^(?:\/?[a-z]{2}\d{2}[a-z\d]{8,30}|(?:beneficiary|payee|recipient):|executors?\s+of|law\s+offices?\s+of|от|для|don|doña|sig\.(?:ra)?|de\s+heer|mevrouw|.{2,80}?\s(?:inh|prop|proprietor))\.?\s+(?=\p{L})/iu;
/** Forms of joint ownership, degrees with dots, and the bank of a beneficiary. */
const BEHIND =
  /(?<![\s,])[\s,]+(?:jt(?:wros|\s+ten)?|ten\s+(?:com|ent)|u[tg]ma|m\.\s?sc|b\.\s?sc|m\.\s?b\.\s?a|ll\.\s?[mb]|[mb]\.\s?eng|m\.\s?phil|bank:\s.*)\.?$/iu;
/** A retirement account. Ira alone is also a given name. */
const FOR_BENEFIT = /^(?:.* )?fbo (.+?) (?:(?:roth|sep) )?ira$/iu;
const RETIREMENT = / ira$/iu;
const OF = /^(?:of|from|aus|из)$/iu;
const LAST_SIGNS = /(?<![\s,;:(/-])[\s,;:(/-]+$/u;
/** A single word is nobody's whole name. */
const MIN_WORDS = 2;

/**
 * The name of a person without what is written around it: "Anna Keller INN 770708389312", "Anna Keller of Damascus" and "Executors
 * of Anna Keller" are Anna Keller. Undefined if there is nothing of it, or less than two words besides.
 */
export function withoutSurroundings(name: string): string | undefined {
  const clean = cleanLine(name);
  // Without the account at the end, the pattern would be tried from each "fbo" to no avail.
  const holder = RETIREMENT.test(clean) ? clean.replace(FOR_BENEFIT, '$1') : clean;
  const inner = holder.replace(BEFORE, '').replace(BEHIND, '');
  const written = inner.split(/\s+/u);
  const person = written.slice(0, lengthBeforeOrigin(written.slice(0, personLength(written))));
  const plain = person.join(' ').replace(LAST_SIGNS, '');
  const isWhole = splitWords(plain).filter((word) => !isPureTitle(word)).length >= MIN_WORDS;
  return plain !== clean && isWhole ? plain : undefined;
}

/** The words before a number. Without a word that says what it is, only numbers and places may follow: others may be names. */
function personLength(written: readonly string[]): number {
  const length = nameLength(written, MIN_WORDS);
  if (!isNumber(written[length] ?? '')) return length;
  const behind = written.slice(length);
  return behind.slice(0, lengthBeforePlaces(behind)).every(isNumber) ? length : written.length;
}

/** The words before "of Damascus". */
function lengthBeforeOrigin(written: readonly string[]): number {
  const length = lengthBeforePlaces(written);
  const isOrigin = length < written.length && OF.test(written[length - 1] ?? '');
  return isOrigin && length > MIN_WORDS ? length - 1 : written.length;
}
