import { normalAddress } from '../../address.ts';
import type { Blockchain } from '../../blockchains.ts';
import { invalidField } from '../../errors.ts';
import { looseSignInDomain, readSignInText, type SignInFields } from './read-sign-in-text.ts';

export type MessageWarning = 'FOREIGN_DOMAIN' | 'UNBOUND_MESSAGE';

export interface JudgedMessage {
  message: string;
  address: string;
  blockchain: Blockchain;
  verificationId: string;
  /** The nonce issued for this verification, if any. */
  nonce?: string;
  /** The `origin` of the verification. If set, the message must be a sign-in text for it; otherwise it is refused. */
  expectedOrigin: string | null;
  /** host[:port] of pages whose sign-in texts cause no warning when no origin is expected. */
  ownDomains?: readonly string[];
  now: Date;
}

const MAX_AGE_MS = 10 * 60_000;
const MAX_AHEAD_MS = 60_000;
const DEFAULT_PORTS: Record<string, string> = { http: ':80', https: ':443' };
/** CAIP-2 uses the genesis hash; Solana's own sign-in texts use these names. */
const SOLANA_NAMES: Record<string, string> = { Solana: 'mainnet', 'Solana Devnet': 'devnet' };

/**
 * Judges the text of a message, whoever signed it. Without an expected origin, it returns warnings for a sign-in text
 * of another site and for a text with neither the id nor the nonce of the verification: the address alone may be in any
 * text that its owner ever signed. With one, it throws
 * validation_failed at `/message` unless the text is a sign-in text for this origin, address and chain, issued within
 * the last 10 minutes (at most 60 s ahead) and not expired.
 */
export function judgeMessage(judged: JudgedMessage): MessageWarning[] {
  if (judged.expectedOrigin !== null) {
    requireSignIn(judged, judged.expectedOrigin);
    return [];
  }
  const warnings: MessageWarning[] = [];
  if (isForeign(judged)) warnings.push('FOREIGN_DOMAIN');
  if (!isBound(judged)) warnings.push('UNBOUND_MESSAGE');
  return warnings;
}

function isForeign({ message, ownDomains = [] }: JudgedMessage): boolean {
  const domain = looseSignInDomain(message);
  return domain !== undefined && !ownDomains.some((own) => own.toLowerCase() === domain);
}

function isBound({ message, verificationId, nonce }: JudgedMessage): boolean {
  const text = message.toLowerCase();
  const marks = nonce === undefined ? [verificationId] : [verificationId, nonce];
  return marks.some((mark) => text.includes(mark.toLowerCase()));
}

function requireSignIn(judged: JudgedMessage, origin: string): void {
  const fields = readSignInText(judged.message);
  if (!fields) {
    throw refusal(
      'not_sign_in_text',
      'The message must be a sign-in text (EIP-4361 or CAIP-122) with URI, Version, Chain ID, Nonce and Issued At.',
    );
  }
  if (!isOfOrigin(fields, origin)) {
    throw refusal(
      'wrong_domain',
      'The domain in the message must be that of the origin of the verification.',
    );
  }
  if (!isOfAddress(fields, judged)) {
    throw refusal('wrong_address', 'The address in the message must be that of the verification.');
  }
  if (!isOfChain(fields, judged.blockchain)) {
    throw refusal(
      'wrong_chain',
      'The Chain ID in the message must be that of the blockchain of the verification.',
    );
  }
  if (judged.nonce !== undefined && fields.nonce !== judged.nonce) {
    throw refusal('wrong_nonce', 'The Nonce in the message must be the one issued for the verification.');
  }
  requireTimely(fields, judged.now.getTime());
}

function requireTimely(fields: SignInFields, nowMs: number): void {
  const ageMs = nowMs - fields.issuedAtMs;
  if (ageMs > MAX_AGE_MS || ageMs < -MAX_AHEAD_MS) {
    throw refusal(
      'issued_at_out_of_window',
      'Issued At must be at most 10 minutes ago and 60 seconds ahead. Have a new text signed.',
    );
  }
  if (fields.expiresAtMs !== null && nowMs >= fields.expiresAtMs) {
    throw refusal(
      'message_expired',
      'The Expiration Time in the message has passed. Have a new text signed.',
    );
  }
  if (fields.notBeforeMs !== null && nowMs < fields.notBeforeMs - MAX_AHEAD_MS) {
    throw refusal('message_not_yet_valid', 'The Not Before time in the message has not come yet.');
  }
}

/** An origin is scheme://host[:port]; a text may omit the scheme, and both may contain the default port. */
function isOfOrigin({ scheme, domain }: SignInFields, origin: string): boolean {
  const [, originScheme, host = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#@\s]+)\/?$/i.exec(origin) ?? [];
  const expected = originScheme?.toLowerCase();
  if (scheme !== null && expected !== undefined && scheme !== expected) return false;
  const port = DEFAULT_PORTS[expected ?? scheme ?? ''] ?? '';
  const plain = (text: string) => (port !== '' && text.endsWith(port) ? text.slice(0, -port.length) : text);
  return host !== '' && plain(domain) === plain(host.toLowerCase());
}

/** Compares addresses in normal form; CAIP-10, the chain's id before the address, is accepted too. */
function isOfAddress(fields: SignInFields, { address, blockchain }: JudgedMessage): boolean {
  const prefix = `${blockchain.caip2}:`;
  const stated = fields.address.startsWith(prefix) ? fields.address.slice(prefix.length) : fields.address;
  const [given, expected] = [stated, address].map((text) => normalAddress(blockchain.name, text));
  return given?.ok === true && expected?.ok === true && given.normal === expected.normal;
}

/** CAIP-122 uses the reference of the CAIP-2 id, EIP-4361 the chain number, and many texts the whole CAIP-2 id. */
function isOfChain({ chainId }: SignInFields, { caip2, name }: Blockchain): boolean {
  const reference = caip2.slice(caip2.indexOf(':') + 1);
  const solana = SOLANA_NAMES[name];
  const accepted = solana === undefined ? [caip2, reference] : [caip2, reference, solana, `solana:${solana}`];
  return accepted.includes(chainId);
}

function refusal(code: string, text: string) {
  return invalidField('/message', code, text);
}
