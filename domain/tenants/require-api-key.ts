import { DomainError } from '../errors.ts';
import { apiKeyKind, type KeyEnvironment, type KeyHolder } from './api-key-text.ts';

/** How each holder's key is called, and in which header it comes. */
const WORDS: Record<KeyHolder, { header: string; key: string }> = {
  TENANT: { header: 'X-Api-Key', key: 'API key' },
  PARTNER: { header: 'X-Partner-Api-Key', key: 'partner key' },
};

/** Refuses a mistyped key or a key of the other environment before any read. Throws unauthenticated, wrong_environment. */
export function requireKeyText(environment: KeyEnvironment, text: string, holder: KeyHolder): void {
  const kind = apiKeyKind(environment, text, holder);
  if (kind === 'MALFORMED') throw unknownKey(holder);
  if (kind === 'WRONG_ENVIRONMENT') {
    const message = `This is the ${environment} environment; the key belongs to the other one.`;
    throw new DomainError('wrong_environment', message);
  }
}

/** The stored key, if it counts. Throws unauthenticated for none, key_revoked, key_expired. */
export function requireUsableKey<K extends { revoked: boolean; expired: boolean }>(
  stored: K | undefined,
  holder: KeyHolder,
): K {
  const { key } = WORDS[holder];
  if (!stored) throw unknownKey(holder);
  if (stored.revoked) throw new DomainError('key_revoked', `This ${key} has been revoked.`);
  if (stored.expired) throw new DomainError('key_expired', `This ${key} has expired.`);
  return stored;
}

function unknownKey(holder: KeyHolder): DomainError {
  return new DomainError('unauthenticated', `A valid ${WORDS[holder].header} is required.`);
}
