import { createHash, timingSafeEqual } from 'node:crypto';
import { operatorKeysOf } from '../process/operator-keys.ts';
import type { Settings } from '../process/settings.ts';
import { DomainError } from '../domain/errors.ts';
import type { OperatorCaller } from './caller.ts';

/**
 * Makes the authenticator of operators. It compares a key with those of all operators in constant time, and throws
 * unauthenticated; always if the deployment has no operator key.
 */
export function operatorAuthenticator(settings: Settings): (key: string) => OperatorCaller {
  const known = operatorKeysOf(settings).map(({ name, key }) => ({ name, digest: digestOf(key) }));
  return (key) => {
    const given = digestOf(key);
    const [operator] = known.filter(({ digest }) => timingSafeEqual(digest, given));
    if (operator) return { kind: 'OPERATOR', actor: { kind: 'OPERATOR', operatorName: operator.name } };
    throw new DomainError('unauthenticated', 'A valid X-Operator-Key is required.');
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
