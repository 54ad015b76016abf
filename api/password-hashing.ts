import { hash, verify } from '@node-rs/argon2';
import { fairTurns, type InTurn } from '../db/fair-turns.ts';
import { DomainError } from '../domain/errors.ts';

/** Argon2id with the costs that OWASP recommends (19 MiB, two passes, one lane): about 25 ms of a core. */
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const WAITING = 20;

export interface PasswordHashing {
  /** Makes the hash that is stored, a PHC string. */
  hash: (password: string) => Promise<string>;
  /** Whether the password made the hash. Without a hash it takes as long and is false, so that nobody can tell. */
  matches: (password: string, passwordHash: string | null) => Promise<boolean>;
  /**
   * Runs work that hashes when its turn has come, of each owner in turn: the tenant that is known, or the address of whoever
   * signs in. Throws rate_limited without running it when too many wait and nobody has more waiting than this owner.
   */
  inTurn: InTurn;
}

/**
 * Hashes one password at a time in this process, so that a flood of sign-ins leaves the other requests their cores, and one of
 * each tenant or address in turn, so that nobody's flood keeps others from signing in.
 */
export function passwordHashing(): PasswordHashing {
  const nobody = hash('no account has this password', COSTS);
  return {
    hash: async (password) => await hash(password, COSTS),
    async matches(password, passwordHash) {
      const isSame = await verify(passwordHash ?? (await nobody), password);
      return isSame && passwordHash !== null;
    },
    inTurn: fairTurns({ atOnce: 1, places: { maxWaiting: WAITING, refusal: tooManyWait } }),
  };
}

function tooManyWait(): DomainError {
  return new DomainError('rate_limited', 'Too many sign-ins at this moment. Try again.', {
    retryAfterSeconds: 2,
  });
}
