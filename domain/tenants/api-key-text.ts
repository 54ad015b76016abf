import { sha256 } from '../sha256.ts';

export type KeyEnvironment = 'sandbox' | 'production';

const PREFIXES: Record<KeyEnvironment, string> = { sandbox: 'wb_sandbox_', production: 'wb_live_' };
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECK_LENGTH = 6;

/**
 * The text of an API key, made from 64 random bytes: environment prefix, a secret of 43 characters (256 bits) and a
 * checksum of 6, by which secret scanners can tell a real key from a look-alike.
 */
export function apiKeyText(environment: KeyEnvironment, random: Buffer): string {
  const secret = base62(random, SECRET_LENGTH);
  const body = `${PREFIXES[environment]}${secret}`;
  return body + checksum(body);
}

export type KeyKind = 'VALID' | 'WRONG_ENVIRONMENT' | 'MALFORMED';

/** Checks a key's form, checksum and environment without a database query. */
export function apiKeyKind(environment: KeyEnvironment, text: string): KeyKind {
  const match = /^(wb_sandbox_|wb_live_)[0-9A-Za-z]{49}$/.exec(text);
  if (!match || checksum(text.slice(0, -CHECK_LENGTH)) !== text.slice(-CHECK_LENGTH)) return 'MALFORMED';
  return match[1] === PREFIXES[environment] ? 'VALID' : 'WRONG_ENVIRONMENT';
}

function checksum(body: string): string {
  return base62(sha256(body), CHECK_LENGTH);
}

function base62(bytes: Buffer, length: number): string {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text += ALPHABET[Number(value % 62n)];
    value /= 62n;
  }
  return text;
}
