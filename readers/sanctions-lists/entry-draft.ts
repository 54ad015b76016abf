import { countryCode } from '../../domain/country.ts';
import type {
  EntryType,
  ListEntry,
  ListedIdentifier,
  Listing,
  NameKind,
} from '../../domain/sanctions/list-entry.ts';
import { ListFault } from './list-fault.ts';

/** Longest that a database index and a search can bear; what goes over it is no name, number or address. */
const MOST_NAME_LETTERS = 1000;
const MOST_KEY_LETTERS = 300;
/** More of one thing than any subject has: such a file is refused, or screening would slow down for all. */
const MOST_VALUES = 10_000;

/** An entry to which the readers add what they find, in the order of the file, twice or not. */
export function draftEntry(list: string, sourceId: string, type: EntryType): ListEntry {
  return {
    list,
    sourceId: plainText(sourceId),
    type,
    names: [],
    birthDates: [],
    birthPlaces: [],
    countries: [],
    identifiers: [],
    wallets: [],
    programs: [],
  };
}

/** Whether a name has letters, and none of them Latin. */
export function isOriginalScript(name: string): boolean {
  return /\p{L}/u.test(name) && !/\p{Script=Latin}/u.test(name);
}

/** One line without control characters, halves of letters and doubled blanks: a database refuses some of them. */
export function plainText(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
}

export function addName(entry: ListEntry, text: string, kind: NameKind): void {
  const name = plainText(text);
  if (/[\p{L}\p{N}]/u.test(name)) entry.names.push({ text: name, kind });
}

/** Country names that ISO does not know are left out: a country only tells namesakes apart. */
export function addCountry(entry: ListEntry, text: string): void {
  const code = countryCode(plainText(text));
  if (code !== undefined) entry.countries.push(code);
}

export function addBirthDate(entry: ListEntry, date: string | undefined): void {
  if (date !== undefined) entry.birthDates.push(date);
}

export function addBirthPlace(entry: ListEntry, ...parts: string[]): void {
  const place = parts
    .map(plainText)
    .filter((part) => part !== '')
    .join(', ');
  if (place !== '') entry.birthPlaces.push(place);
}

export function addIdentifier(
  entry: ListEntry,
  kind: ListedIdentifier['kind'],
  text: string,
  country = '',
): void {
  const value = plainText(text);
  if (value === '') return;
  const code = countryCode(plainText(country));
  entry.identifiers.push({ kind, value, ...(code === undefined ? {} : { country: code }) });
}

export function addWallet(entry: ListEntry, asset: string, text: string): void {
  const address = plainText(text);
  if (address !== '') entry.wallets.push({ asset: plainText(asset), address });
}

/** `M`, `F`, `Male`, `female`, …; lists that contradict themselves are believed the first time. */
export function setGender(entry: ListEntry, text: string): void {
  const letter = text.trim().charAt(0).toLowerCase();
  if (letter === 'm') entry.gender ??= 'male';
  if (letter === 'f') entry.gender ??= 'female';
}

/** Adds to the title, or sets it. */
export function addTitle(entry: ListEntry, text: string): void {
  const title = joinedOnce(entry.title, text);
  if (title !== '') entry.title = title;
}

/** Adds to the remarks, or sets them. */
export function addRemarks(entry: ListEntry, text: string): void {
  const remarks = joinedOnce(entry.remarks, text);
  if (remarks !== '') entry.remarks = remarks;
}

function joinedOnce(present: string | undefined, text: string): string {
  const addition = plainText(text);
  if (present === undefined || addition === '') return present ?? addition;
  return present.split('; ').includes(addition) ? present : `${present}; ${addition}`;
}

/** Also adds its programs to those of the entry. */
export function addListing(entry: ListEntry, listing: Listing): void {
  (entry.listings ??= []).push(listing);
  entry.programs.push(...listing.programs);
}

/**
 * The entry with each thing once and its first name primary; undefined where it cannot be one: without a name, or with a
 * name, number or address that is too long to be one. Throws ListFault TOO_LARGE.
 */
export function finishEntry(entry: ListEntry): ListEntry | undefined {
  const names = orderedNames(entry.names);
  const identifiers = once(entry.identifiers, ({ kind, value, country }) =>
    JSON.stringify([kind, value, country]),
  );
  const wallets = once(entry.wallets, ({ asset, address }) => JSON.stringify([asset, address]));
  const keys = [
    entry.sourceId,
    ...identifiers.map(({ value }) => value),
    ...wallets.map(({ address }) => address),
  ];
  const isReadable =
    entry.sourceId !== '' &&
    names.length > 0 &&
    names.every(({ text }) => text.length <= MOST_NAME_LETTERS) &&
    keys.every((key) => key.length <= MOST_KEY_LETTERS);
  if (!isReadable) return undefined;
  return {
    ...entry,
    names,
    identifiers,
    wallets,
    birthDates: once(entry.birthDates),
    birthPlaces: once(entry.birthPlaces),
    countries: once(entry.countries),
    programs: once(entry.programs),
    ...(entry.listings === undefined
      ? {}
      : { listings: once(entry.listings, (listing) => JSON.stringify(listing)) }),
  };
}

/** Each text once, as the strongest kind it is listed as; one primary name, and that first. */
function orderedNames(given: ListEntry['names']): ListEntry['names'] {
  const names = new Map<string, NameKind>();
  for (const { text, kind } of given) {
    const present = names.get(text);
    if (present === undefined || (present === 'weak' && kind !== 'weak') || kind === 'primary')
      names.set(text, kind);
  }
  checkCount(names.size);
  const listed = [...names].map(([text, kind]) => ({ text, kind }));
  const primary =
    listed.find(({ kind }) => kind === 'primary') ??
    listed.find(({ kind }) => kind === 'aka' || kind === 'fka') ??
    listed[0];
  const others = listed.filter((name) => name !== primary);
  return [
    ...(primary === undefined ? [] : [{ ...primary, kind: 'primary' as const }]),
    ...others.map(({ text, kind }) => ({ text, kind: kind === 'primary' ? ('aka' as const) : kind })),
  ];
}

function once<Value>(values: readonly Value[], keyOf: (value: Value) => unknown = (value) => value): Value[] {
  const kept = new Map<unknown, Value>();
  for (const value of values) {
    const key = keyOf(value);
    if (!kept.has(key)) kept.set(key, value);
  }
  checkCount(kept.size);
  return [...kept.values()];
}

function checkCount(count: number): void {
  if (count > MOST_VALUES) throw new ListFault('TOO_LARGE');
}
