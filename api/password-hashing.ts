import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../domain/errors.ts';

/** Argon2id with the costs that OWASP recommends (19 MiB, two passes, one lane): about 25 ms of a core. */
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const WAITING = 20;

export interface PasswordHashing {
  /** Makes the hash that is stored, a PHC string. */
  hash: (password: string) => Promise<string>;
  /** Whether the password made the hash. Without a hash it takes as long and is false, so that nobody can tell. */
  matches: (password: string, passwordHash: string | null) => Promise<boolean>;
  /** Runs work that hashes when its turn has come. Throws rate_limited without running it when too many wait. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Hashes one password at a time in this process, so that a flood of sign-ins leaves the other requests their cores. */
export function passwordHashing(): PasswordHashing {
  const nobody = hash('no account has this password', COSTS);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    hash: async (password) => await hash(password, COSTS),
    async matches(password, passwordHash) {
      const isSame = await verify(passwordHash ?? (await nobody), password);
      return isSame && passwordHash !== null;
    },
    async inTurn(work) {
      if (waiting > WAITING) throw tooManyWait();
      waiting += 1;
      const mine = last.then(work, work).finally(() => (waiting -= 1));
      last = mine;
      return await mine;
    },
  };
}

function tooManyWait(): DomainError {
  return new DomainError('rate_limited', 'Too many sign-ins at this moment. Try again.', {
    retryAfterSeconds: 2,
  });
}
