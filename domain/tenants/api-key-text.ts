import { sha256 } from '../sha256.ts';

export type KeyEnvironment = 'sandbox' | 'production';

/** A key belongs to a tenant, or to a partner of the network. */
export type KeyHolder = 'TENANT' | 'PARTNER';

const PREFIXES: Record<KeyHolder, Record<KeyEnvironment, string>> = {
  TENANT: { sandbox: 'wb_sandbox_', production: 'wb_live_' },
  PARTNER: { sandbox: 'wbp_sandbox_', production: 'wbp_live_' },
};
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECK_LENGTH = 6;

/**
 * The text of an API key, made from 64 random bytes: environment prefix, a secret of 43 characters (256 bits) and a
 * checksum of 6, by which secret scanners can tell a real key from a look-alike.
 */
export function apiKeyText(
  environment: KeyEnvironment,
  random: Buffer,
  holder: KeyHolder = 'TENANT',
): string {
  const secret = base62(random, SECRET_LENGTH);
  const body = `${PREFIXES[holder][environment]}${secret}`;
  return body + checksum(body);
}

export type KeyKind = 'VALID' | 'WRONG_ENVIRONMENT' | 'MALFORMED';

/** Checks a key's form, checksum and environment without a database query. */
export function apiKeyKind(environment: KeyEnvironment, text: string, holder: KeyHolder = 'TENANT'): KeyKind {
  const [, prefix = ''] = /^(wbp?_(?:sandbox|live)_)[0-9A-Za-z]{49}$/.exec(text) ?? [];
  const { sandbox, production } = PREFIXES[holder];
  if (prefix !== sandbox && prefix !== production) return 'MALFORMED';
  if (checksum(text.slice(0, -CHECK_LENGTH)) !== text.slice(-CHECK_LENGTH)) return 'MALFORMED';
  return prefix === PREFIXES[holder][environment] ? 'VALID' : 'WRONG_ENVIRONMENT';
}

/** The prefix and the last four characters of a key: enough to tell keys apart, not to use one. */
export function maskedKey(text: string): string {
  return `${text.slice(0, text.lastIndexOf('_') + 1)}…${text.slice(-4)}`;
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
