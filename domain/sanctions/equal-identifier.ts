import anyAscii from 'any-ascii';
import type { ListedIdentifier, ListEntry } from './list-entry.ts';
import { latinCapitals } from './letters/look-alikes.ts';

/** A number or code of the subject. */
export interface SubjectIdentifier {
  value: string;
  /** The kinds of listed identifiers that it may be. */
  kinds: readonly ListedIdentifier['kind'][];
  /** Countries that may have issued it, as ISO alpha-2 codes; empty if unknown. */
  countries: readonly string[];
  /** Whose number it can only be, where the type of the subject is not known. */
  holder?: 'NATURAL' | 'LEGAL';
}

/** Shorter numbers are equal by chance: lists have hundreds of four and five digits. */
const MIN_LENGTH = 6;
/** Kinds that one register issues for the whole world. */
const WORLDWIDE: readonly ListedIdentifier['kind'][] = ['lei', 'imo', 'mmsi', 'bic'];
const SEPARATOR = /[^\p{L}\p{N}]/gu;
const DIGIT = /\p{Nd}/gu;

/**
 * The letters and digits of an identifier, without separators, which lists and customers use inconsistently. Digits of
 * any script are ASCII ones, and letters that look like Latin capitals are those. O and 0, I and 1 stay different: documents
 * have both in one place. The key of a key is the key.
 */
export function identifierKey(value: string): string {
  const letters = value.toUpperCase().replace(SEPARATOR, '');
  const plain = letters.normalize('NFKC').toUpperCase().replace(SEPARATOR, '');
  // A digit of a script that the table does not know stays: left out, it would make two numbers equal.
  return latinCapitals(plain.replace(DIGIT, (digit) => anyAscii(digit) || digit));
}

/** Whether an identifier is long enough to mean anything when it is equal to another one. */
export function isDistinctive(value: string): boolean {
  return identifierKey(value).length >= MIN_LENGTH;
}

/**
 * The identifier of an entry that is equal to the subject's in value, kind and country; undefined if there is none, or if
 * such an entry cannot have the subject's.
 */
export function equalIdentifier(
  { type, identifiers }: ListEntry,
  { value, kinds, countries, holder }: SubjectIdentifier,
): ListedIdentifier | undefined {
  if (!isDistinctive(value)) return undefined;
  if (holder !== undefined && (holder === 'NATURAL') !== (type === 'person')) return undefined;
  const key = identifierKey(value);
  return identifiers.find(
    (listed) =>
      identifierKey(listed.value) === key && kinds.includes(listed.kind) && isOfCountry(listed, countries),
  );
}

/** Facts that one side lacks contradict nothing. */
function isOfCountry({ kind, country }: ListedIdentifier, countries: readonly string[]): boolean {
  if (country === undefined || countries.length === 0 || WORLDWIDE.includes(kind)) return true;
  return countries.includes(country);
}
