import { createHash } from 'node:crypto';

/** A long key has so many different characters; a short one of 16 hexadecimal digits may by chance have half of them. */
const DIFFERENT_CHARACTERS = 8;
/** 32 bytes have so many different ones, and so many different steps from one to the next. */
const DIFFERENT_BYTES = 13;
/** Beside words and rows of keys that everybody tries, a key has so many characters of its own. */
const OWN_CHARACTERS = 6;

/** So many equal bytes one after the other come about in one of 10^13 keys. */
const EQUAL_BYTES = 7;

/** Hashes of what is tried first: 32 bytes that look random. */
const KNOWN_HASHES = new Set(
  ['', 'password', 'secret', 'changeme', 'admin', 'test', 'waybill', 'master', '123456', '12345678'].map(
    (text) => createHash('sha256').update(text).digest('hex'),
  ),
);

/** What stands in keys that were thought up or copied from an example; longer words first, since they contain shorter ones. */
const WELL_KNOWN =
  /correcthorsebatterystaple|administrator|production|changeit|changeme|operator|passphrase|password|passwort|p[a@][s$]{2}w[o0]rd|example|default|iloveyou|letmein|replace|sandbox|waybill|welcome|secret|master|qwertz|qwerty|uiop|asdf|ghjkl|zxcv|admin|dummy|test|token|key|deadbeef|cafebabe|c0ffee|1q2w3e4r|5t6y7u8i|1qaz|2wsx|1234567890|0123456789|12345678|1234|123|abc|[-_.:!]|(?:19|20)\d\d(?=[-_.:!]*$)/gi;

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
    (/^[0-9a-f]{64}$/i.test(key) && areWeakBytes(key))
  );
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
