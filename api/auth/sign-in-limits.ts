import type { Database } from '../../db/database.ts';
import { countTry, triesOf, type CountedTry, type TryLimit } from '../../db/users/counted-tries.ts';

const MINUTE_SECONDS = 60;

const BY_ADDRESS: TryLimit = {
  purpose: 'sign-ins-of-address',
  max: 60,
  seconds: MINUTE_SECONDS,
  refusal: 'Too many sign-ins from this address in this minute.',
};
const BY_PAIR: TryLimit = {
  purpose: 'sign-ins-of-pair',
  max: 5,
  seconds: MINUTE_SECONDS,
  refusal: 'Too many sign-ins of this account in this minute.',
};
const FAILURES: TryLimit = {
  purpose: 'failed-sign-ins',
  max: 10,
  seconds: 15 * MINUTE_SECONDS,
  locks: true,
  refusal: 'Too many failed sign-ins. Wait, or ask an administrator.',
};

const CODES: TryLimit = {
  purpose: 'codes-of-account',
  max: 10,
  seconds: 15 * MINUTE_SECONDS,
  locks: true,
  refusal: 'Too many wrong codes of this account. Wait, or ask an administrator.',
};

/** Who tries to sign in, and from where. */
interface SignInAttempt {
  /** In lower case. */
  email: string;
  /** The address of the client. */
  address: string;
}

/** Counts a sign-in, whether the account exists or not. Throws rate_limited. */
export async function countSignIn(db: Database, { email, address }: SignInAttempt, now: Date): Promise<void> {
  await countTry(db.pool, triesOf(db, BY_ADDRESS, address), now);
  await countTry(db.pool, triesOf(db, BY_PAIR, pairOf({ email, address })), now);
}

/** The passwords tried for an account from an address: each counts as failed until it turns out to be right. */
export function failuresOf(db: Database, attempt: SignInAttempt): CountedTry {
  return triesOf(db, FAILURES, pairOf(attempt));
}

/**
 * The codes tried for an account, whatever the address: whoever is asked for one knows the password, so that strangers cannot
 * lock the account, and a code of six digits must not be guessed from many addresses.
 */
export function codesOf(db: Database, userId: string): CountedTry {
  return triesOf(db, CODES, userId);
}

/** One account, tried from one address. */
export function pairOf({ email, address }: SignInAttempt): string {
  return `${address}\n${email}`;
}
