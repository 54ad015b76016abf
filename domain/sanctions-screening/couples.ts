import { withoutAdditions } from '../sanctions/additions.ts';
import { withoutFormsOfAddress } from '../sanctions/forms-of-address.ts';
import { MAX_PERSONS } from '../sanctions/search.ts';
import { holdersIn, isFirmOfHolders } from './joined-holders.ts';
import { JOINED, JOINED_PERHAPS } from './name-separators.ts';
import { partsAround } from './names-within.ts';
import { isWholeName, wordsOf } from './whole-name.ts';

const COMMA = /[,،，]/u;
/** "Jose Luis" may be two given names, or a whole name. */
const GIVEN_WORDS = 2;
/** The words of the next holder that may be given names. */
const MAX_GIVEN = 2;

/** Holders that may share the family name of the one behind them. */
export interface Couples {
  /** "Jose Luis" of "Jose Luis and Eva Keller": a whole name, or the given names alone. */
  given: string[];
  /** "Jose Luis Keller". */
  named: string[];
}

/** The couples in these names, more than are compared only by so many that it shows. */
export function couplesWithin(names: readonly string[]): Couples {
  const neighbouring = names.flatMap(partsAround).flatMap(neighbours);
  // A name that is read in several ways has the same couple in each; it must not take the place of others.
  const different = new Map(neighbouring.map((pair) => [pair.join(), pair]));
  const pairs = [...different.values()].slice(0, MAX_PERSONS + 1);
  const named = pairs.flatMap(([given, next]) => withFamilyName(namedWords(given), namedWords(next)));
  return {
    given: [...new Set(pairs.map(([given]) => given))],
    named: [...new Set(named)].slice(0, MAX_PERSONS + 1),
  };
}

/** Two words before another whole name. */
function neighbours(part: string): [given: string, next: string][] {
  const isJoined = part.search(JOINED) >= 0 || part.search(JOINED_PERHAPS) >= 0;
  if (!isJoined || COMMA.test(part) || isFirmOfHolders(part)) return [];
  const holders = part.split(JOINED_PERHAPS).flatMap(holdersIn);
  return [holders, withoutFormsOfAddress(holders)].flatMap(pairsOf);
}

function pairsOf(holders: readonly string[]): [given: string, next: string][] {
  return holders.flatMap((given, place) => {
    const next = holders[place + 1] ?? '';
    return namedWords(given).length === GIVEN_WORDS && isWholeName(next) ? [[given, next]] : [];
  });
}

/** The words without forms of address such as "Mr." and "Herr". */
function namedWords(holder: string): string[] {
  return wordsOf(withoutAdditions(holder) ?? holder);
}

/** "Jose Luis" with "Keller Huber" of "Eva Keller Huber", and with "Huber", since "Keller" may be a given name. */
function withFamilyName(given: readonly string[], next: readonly string[]): string[] {
  return Array.from({ length: MAX_GIVEN }, (_, at) => next.slice(at + 1))
    .filter((family) => family.length > 0)
    .map((family) => [...given, ...family].join(' '));
}
