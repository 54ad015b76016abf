import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { invalidField } from '../../domain/errors.ts';

/** Minimum score, 0 to 4. At 3 a guesser who knows common passwords and the account's words needs about 10^8 tries. */
const LEAST_SCORE = 3;

/** The library runs on the thread that answers requests: without these, a made-up password could keep it busy for long. */
const LIMITS = { maxLength: 64, l33tMaxSubstitutions: 8 };

const strength = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, ...LIMITS });

/** Throws validation_failed for a password that is easily guessed by somebody who knows these words of the account. */
export function requireStrongPassword(password: string, words: readonly (string | null)[]): void {
  if (strength.check(withoutWords(password, words)).score >= LEAST_SCORE) return;
  throw invalidField(
    '/password',
    'too_weak',
    'This password is easily guessed: take a longer one, or several words that do not belong together.',
  );
}

/** Words of the account add nothing to a password, so they are left out before it is judged. */
function withoutWords(password: string, words: readonly (string | null)[]): string {
  const known = words.flatMap((word) => word?.toLowerCase().split(/[^\p{L}\p{N}]+/u) ?? []);
  return known
    .filter(({ length }) => length > 2)
    .reduce((left, word) => left.replaceAll(word, ''), password.toLowerCase());
}
