import { hash, verify } from '@node-rs/argon2';
import { fairTurns, type InTurn } from '../db/fair-turns.ts';
import { DomainError } from '../domain/errors.ts';

/** Argon2id with the costs that OWASP recommends (19 MiB, two passes, one lane): about 25 ms of a core. */
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A request that waits costs next to nothing, and each place is one more tenant or address that a flood needs. */
const WAITING = { known: 200, strangers: 1_000 };

export interface PasswordHashing {
  /** Makes the hash that is stored, a PHC string. */
  hash: (password: string) => Promise<string>;
  /** Whether the password made the hash. Without a hash it takes as long and is false, so that nobody can tell. */
  matches: (password: string, passwordHash: string | null) => Promise<boolean>;
  /**
   * Runs work that hashes when its turn has come, of each owner in turn: of a tenant whose user, key or link is known. Throws
   * rate_limited without running it when too many wait and nobody has more waiting than this owner.
   */
  inTurn: InTurn;
  /** The same for sign-ins from an address that the account has never signed in from: strangers wait among themselves. */
  inTurnOfStrangers: InTurn;
}

/**
 * Hashes one password of known tenants and one of strangers at a time in this process, so that a flood of sign-ins leaves the
 * other requests their cores, and one of each tenant or address in turn, so that nobody's flood keeps others from signing in.
 */
export function passwordHashing(): PasswordHashing {
  const turns = (maxWaiting: number) =>
    fairTurns({ atOnce: 1, places: { maxWaiting, refusal: tooManyWait } });
  const nobody = hash('no account has this password', COSTS);
  return {
    hash: async (password) => await hash(password, COSTS),
    async matches(password, passwordHash) {
      const isSame = await verify(passwordHash ?? (await nobody), password);
      return isSame && passwordHash !== null;
    },
    inTurn: turns(WAITING.known),
    inTurnOfStrangers: turns(WAITING.strangers),
  };
}

function tooManyWait(): DomainError {
  return new DomainError('rate_limited', 'Too many sign-ins at this moment. Try again.', {
    retryAfterSeconds: 2,
  });
}
