import { createHash } from 'node:crypto';
import { isUnexpanded } from './unexpanded-text.ts';
import { PUBLISHED, words } from './published-keys.ts';

/** A long key has so many different characters; a short one of 16 hexadecimal digits may by chance have half of them. */
const DIFFERENT_CHARACTERS = 8;
/** A long one of decimal digits may by chance lack three of them. */
const DIFFERENT_DIGITS = 5;
/** 32 bytes have so many different ones, and so many different steps from one to the next. */
const DIFFERENT_BYTES = 13;
/** Beside words and rows of keys that everybody tries, a key has so many characters of its own. */
const OWN_CHARACTERS = 6;

/** So many printable characters come about in one of 10^5 keys, and hardly one of those texts is weak. */
const ENCODED = 12;

/** So many equal bytes one after the other come about in one of 10^13 keys. */
const EQUAL_BYTES = 7;

/** What is tried first: the passwords that most people take, and words for what the key is. */
const TRIED_FIRST = words(
  'password secret changeme admin test waybill master 123456 12345678 123456789 1234567890 12345 1234567 111111 000000 1 0 qwerty',
  'qwerty123 abc123 password1 password123 iloveyou letmein welcome monkey dragon football baseball sunshine princess shadow',
  'superman michael master123 hello hello123 freedom whatever trustno1 login passw0rd p@ssw0rd 1q2w3e4r 1qaz2wsx qazwsx zxcvbnm asdfgh',
  'asdfghjkl qwertyuiop starwars batman root toor default guest user operator production sandbox masterkey master-key master_key',
  'operatorkey operator-key key mykey secretkey secret-key mysecret topsecret admin123 administrator changeit example demo foo foobar',
  'bar test123 testtest token none null undefined travelrule vasp bitcoin ethereum crypto',
);
const HASHES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
/** Hashes that look random: of nothing and of what is tried first, as programs make them, and as a shell with a new line. */
const KNOWN_HASHES = new Set(
  ['', ...[...TRIED_FIRST].flatMap((text) => [text, capitalised(text), text.toUpperCase()])].flatMap((text) =>
    [text, `${text}\n`].flatMap(hashesOf),
  ),
);

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** As text in small hexadecimal digits, also cut to 32 bytes. */
function hashesOf(text: string): string[] {
  return HASHES.flatMap((name) => {
    const hash = createHash(name).update(text).digest();
    return [hash.toString('hex'), hash.subarray(0, 32).toString('hex')];
  });
}

/** What stands in keys that were thought up or copied from an example; longer words first, since they contain shorter ones. */
const WELL_KNOWN =
  /correcthorsebatterystaple|administrator|production|changeit|changeme|operator|passphrase|password|passwort|p[a@][s$]{2}w[o0]rd|example|default|iloveyou|letmein|replace|sandbox|waybill|welcome|secret|master|qwertz|qwerty|uiop|asdf|ghjkl|zxcv|admin|dummy|test|token|key|deadbeef|cafebabe|c0ffee|1q2w3e4r|5t6y7u8i|1qaz|2wsx|3edc|4rfv|5tgb|6yhn|7ujm|zaq1|xsw2|2wsx|cde3|vfr4|1234567890|0123456789|12345678|1234|123|abc|[-_.:!]|(?:19|20)\d\d(?=[-_.:!]*$)/gi;

/** Words around them in what stands for a key in an example: "<your random key here>", "change-this-in-production", "64 hex digits". */
const AROUND =
  /characters|placeholder|somebody|temporary|generated|generate|something|character|longer|string|please|should|insert|staging|sample|random|change|digits|super|value|bytes|paste|chars|bits|byte|your|(?<![a-z\d])\d{2,3}(?![a-z\d])|this|here|must|safe|long|with|very|demo|real|fake|todo|local|not|and|the|for|now|put|use|dev|tbd|hex|of|my|me|is|be|in|to|at|an|a|i|\s/gi;
const LEFT_OF_EXAMPLE = 3;
/** Ten letters and more, with no signs but blanks and those between words: other signs are those of chance. */
const OF_WORDS = /^(?=(?:[^a-z]*[a-z]){10})[a-z0-9<>_.: -]+$/i;
/** What stands between words. */
const BETWEEN = /[-_.: ]/g;

/**
 * Whether a key was plainly not made by chance: few different characters, repeated, counted up or down, or made of words
 * that everybody tries, or a text that was to be replaced by a key. The bounds are such that of the shortest random keys (16 hexadecimal digits) fewer than one in
 * 10^8 is refused, of 32 random bytes fewer than one in 10^10. A sentence of unusual words is not found out.
 */
export function isWeakKey(key: string): boolean {
  return (
    new Set(key).size < Math.min(differentIn(key), Math.floor(key.length / 5) + 1) ||
    isRepeated(key) ||
    isCounted(codesOf(key)) ||
    // "a1b2c3d4".
    [0, 1].every((turn) => isCounted(codesOf(key).filter((_, place) => place % 2 === turn))) ||
    [key, key.replaceAll(BETWEEN, '')].some(
      (text) => text.replaceAll(WELL_KNOWN, '').length < OWN_CHARACTERS,
    ) ||
    isUnexpanded(key) ||
    isOfExample(key) ||
    isPublished(key) ||
    isEncoded(key) ||
    (/^[0-9a-f]{64}$/i.test(key) && areWeakBytes(key))
  );
}

function differentIn(key: string): number {
  return /^\d+$/.test(key) ? DIFFERENT_DIGITS : DIFFERENT_CHARACTERS;
}

/** Whether anybody finds it: in a specification, or by searching for a hash, or for both halves. */
function isPublished(key: string): boolean {
  const small = key.toLowerCase();
  const halves = [small.slice(0, key.length / 2), small.slice(key.length / 2)];
  const isKnown = (hash: string) => KNOWN_HASHES.has(hash);
  return PUBLISHED.has(small) || isKnown(small) || isKnown(hexOfBase64(key)) || halves.every(isKnown);
}

/** With the signs of either alphabet, with and without the padding. */
function hexOfBase64(key: string): string {
  return Buffer.from(key, 'base64').toString('hex');
}

/** Whether it is a weak text in hexadecimal digits or in Base64; a short one only if it is tried first. */
function isEncoded(key: string): boolean {
  const texts = [
    ...(/^([0-9a-f]{2})+$/i.test(key) ? [Buffer.from(key, 'hex').toString('latin1')] : []),
    ...(/^[\w+/-]+=*$/.test(key) ? [Buffer.from(key, 'base64').toString('latin1')] : []),
  ];
  return texts
    .filter((text) => /^[ -~]{5,}$/.test(text))
    .some((text) => TRIED_FIRST.has(text.toLowerCase()) || (text.length >= ENCODED && isWeakKey(text)));
}

/** Whether hardly a character is none of such words, whatever signs are around them. */
function isOfExample(key: string): boolean {
  const rest = key
    .replaceAll(WELL_KNOWN, ' ')
    .replaceAll(AROUND, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return (rest.length < LEFT_OF_EXAMPLE && OF_WORDS.test(key)) || /^lorem\W?ipsum/i.test(key);
}

const codesOf = (key: string) => Array.from(key, (character) => character.charCodeAt(0));

/** Whether the key is its own beginning again, at least twice, the last time perhaps cut off. */
function isRepeated(key: string): boolean {
  const longest = Math.floor(key.length / 2);
  return Array.from({ length: longest }, (_, index) => index + 1).some(
    (period) => key.slice(period) === key.slice(0, -period),
  );
}

/** Whether there are but two steps from one value to the next, or three quarters of them are one and the same. */
function isCounted(values: readonly number[]): boolean {
  const steps = new Map<number, number>();
  for (const [index, value] of values.slice(1).entries()) {
    const step = value - (values[index] ?? 0);
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return steps.size <= 2 || Math.max(...steps.values()) >= (values.length - 1) * 0.75;
}

/** 32 bytes that are few different ones, a typed text, a known hash, decimal digits alone, or counted by a few steps. */
function areWeakBytes(hex: string): boolean {
  const bytes = [...Buffer.from(hex, 'hex')];
  const steps = bytes.slice(1).map((byte, index) => (byte - (bytes[index] ?? 0)) & 0xff);
  return (
    new Set(bytes).size < DIFFERENT_BYTES ||
    new Set(steps).size < DIFFERENT_BYTES ||
    bytes.some((_, at) => isRun(bytes.slice(at, at + EQUAL_BYTES))) ||
    isTyped(bytes) ||
    /^\d+$/.test(hex)
  );
}

function isRun(bytes: readonly number[]): boolean {
  return bytes.length === EQUAL_BYTES && new Set(bytes).size === 1;
}

/** Whether the bytes are text in UTF-8, perhaps with new lines or filled up with zeros. */
function isTyped(bytes: readonly number[]): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
    return !/[^\P{Cc}\t\r\n\0]/u.test(text);
  } catch {
    // Bytes that are no text.
    return false;
  }
}
