import { createHash } from 'node:crypto';

/** A long key has so many different characters; a short one of 16 hexadecimal digits may by chance have half of them. */
const DIFFERENT_CHARACTERS = 8;
/** 32 bytes have so many different ones, and so many different steps from one to the next. */
const DIFFERENT_BYTES = 13;
/** Beside words and rows of keys that everybody tries, a key has so many characters of its own. */
const OWN_CHARACTERS = 6;

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
/** Hashes that look random: of nothing and of what is tried first, as programs make them, and as a shell with a new line; and the key of NIST's examples. */
const KNOWN_HASHES = new Set([
  ...['', '\n', ...[...TRIED_FIRST].flatMap((text) => [text, `${text}\n`])].map(sha256),
  '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
]);

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What stands in keys that were thought up or copied from an example; longer words first, since they contain shorter ones. */
const WELL_KNOWN =
  /correcthorsebatterystaple|administrator|production|changeit|changeme|operator|passphrase|password|passwort|p[a@][s$]{2}w[o0]rd|example|default|iloveyou|letmein|replace|sandbox|waybill|welcome|secret|master|qwertz|qwerty|uiop|asdf|ghjkl|zxcv|admin|dummy|test|token|key|deadbeef|cafebabe|c0ffee|1q2w3e4r|5t6y7u8i|1qaz|2wsx|3edc|4rfv|5tgb|6yhn|7ujm|zaq1|xsw2|2wsx|cde3|vfr4|1234567890|0123456789|12345678|1234|123|abc|[-_.:!]|(?:19|20)\d\d(?=[-_.:!]*$)/gi;

/** Words around them in what stands for a key in an example: "<your random key here>", "change-this-in-production". */
const AROUND =
  /characters|somebody|generated|generate|something|character|longer|string|please|should|insert|random|change|super|value|bytes|your|this|here|must|safe|long|with|very|not|and|the|for|now|put|use|hex|of|my|me|is|be|in|to|at|an|a|i|\s/gi;
const LEFT_OF_EXAMPLE = 3;
/** Ten letters and more, with no signs but those between words: other signs are those of chance. */
const OF_WORDS = /^(?=(?:[^a-z]*[a-z]){10})[a-z0-9<>_.:-]+$/i;

/**
 * Whether a key was plainly not made by chance: few different characters, repeated, counted up or down, or made of words
 * that everybody tries. The bounds are such that of the shortest random keys (16 hexadecimal digits) fewer than one in
 * 10^8 is refused, of 32 random bytes fewer than one in 10^10. A sentence of unusual words is not found out.
 */
export function isWeakKey(key: string): boolean {
  return (
    new Set(key).size < Math.min(DIFFERENT_CHARACTERS, Math.floor(key.length / 5) + 1) ||
    isRepeated(key) ||
    isCounted(codesOf(key)) ||
    // "a1b2c3d4".
    [0, 1].every((turn) => isCounted(codesOf(key).filter((_, place) => place % 2 === turn))) ||
    key.replaceAll(WELL_KNOWN, '').length < OWN_CHARACTERS ||
    isOfExample(key) ||
    (/^[0-9a-f]{64}$/i.test(key) && areWeakBytes(key))
  );
}

/** Whether hardly a character is none of such words, whatever signs are around them. */
function isOfExample(key: string): boolean {
  const rest = key
    .replaceAll(WELL_KNOWN, ' ')
    .replaceAll(AROUND, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return rest.length < LEFT_OF_EXAMPLE && OF_WORDS.test(key);
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
    KNOWN_HASHES.has(hex.toLowerCase()) ||
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
