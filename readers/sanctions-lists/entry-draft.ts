import { countryCode } from '../../domain/country.ts';
import type {
  EntryType,
  ListEntry,
  ListedIdentifier,
  SanctionsListing,
  ListedName,
  ListedWallet,
  NameKind,
} from '../../domain/sanctions/list-entry.ts';
import { ListFault } from './list-fault.ts';

/** Longest that a database index and a search can bear; what goes over it is no name, number or address. */
const MOST_NAME_LETTERS = 1000;
const MOST_KEY_LETTERS = 300;
/** More of one thing than any subject has: such a file is refused, or screening would slow down for all. */
const MOST_VALUES = 10_000;

/** An entry to which the readers add what they find, in the order of the file, twice or not. */
export class EntryDraft implements ListEntry {
  readonly list: string;
  readonly sourceId: string;
  readonly type: EntryType;
  names: ListedName[] = [];
  birthDates: string[] = [];
  birthPlaces: string[] = [];
  declare gender?: 'male' | 'female';
  countries: string[] = [];
  identifiers: ListedIdentifier[] = [];
  wallets: ListedWallet[] = [];
  programs: string[] = [];
  declare title?: string;
  declare remarks?: string;
  declare listings?: SanctionsListing[];

  constructor(list: string, sourceId: string, type: EntryType) {
    this.list = list;
    this.sourceId = plainText(sourceId);
    this.type = type;
  }

  addName(text: string, kind: NameKind): void {
    const name = plainText(text);
    if (/[\p{L}\p{N}]/u.test(name)) this.names.push({ text: name, kind });
  }

  /** Country names that ISO does not know are left out: a country only tells namesakes apart. */
  addCountry(text: string): void {
    const code = countryCode(plainText(text));
    if (code !== undefined) this.countries.push(code);
  }

  addBirthDate(date: string | undefined): void {
    if (date !== undefined) this.birthDates.push(date);
  }

  addBirthPlace(...parts: string[]): void {
    const place = plainTexts(parts).join(', ');
    if (place !== '') this.birthPlaces.push(place);
  }

  addIdentifier(kind: ListedIdentifier['kind'], text: string, country = ''): void {
    const value = plainText(text);
    if (value === '') return;
    const code = countryCode(plainText(country));
    this.identifiers.push({ kind, value, ...(code === undefined ? {} : { country: code }) });
  }

  addWallet(asset: string, text: string): void {
    const address = plainText(text);
    if (address !== '') this.wallets.push({ asset: plainText(asset), address });
  }

  /** `M`, `F`, `Male`, `female`, …; lists that contradict themselves are believed the first time. */
  setGender(text: string): void {
    const letter = text.trim().charAt(0).toLowerCase();
    if (letter === 'm') this.gender ??= 'male';
    if (letter === 'f') this.gender ??= 'female';
  }

  /** Adds to the title, or sets it. */
  addTitle(text: string): void {
    const title = joinedOnce(this.title, text);
    if (title !== '') this.title = title;
  }

  /** Adds to the remarks, or sets them. */
  addRemarks(text: string): void {
    const remarks = joinedOnce(this.remarks, text);
    if (remarks !== '') this.remarks = remarks;
  }

  /** Also adds its programs to those of the entry. */
  addListing(listing: SanctionsListing): void {
    (this.listings ??= []).push(listing);
    this.programs.push(...listing.programs);
  }

  /**
   * The entry with each thing once and its first name primary; undefined where it cannot be one: without a name, or
   * with a name, number or address that is too long to be one. Throws ListFault TOO_LARGE.
   */
  finish(): ListEntry | undefined {
    const names = orderedNames(this.names);
    const identifiers = once(this.identifiers, ({ kind, value, country }) =>
      JSON.stringify([kind, value, country]),
    );
    const wallets = once(this.wallets, ({ asset, address }) => JSON.stringify([asset, address]));
    const keys = [
      this.sourceId,
      ...identifiers.map(({ value }) => value),
      ...wallets.map(({ address }) => address),
    ];
    const isReadable =
      this.sourceId !== '' &&
      names.length > 0 &&
      names.every(({ text }) => text.length <= MOST_NAME_LETTERS) &&
      keys.every((key) => key.length <= MOST_KEY_LETTERS);
    if (!isReadable) return undefined;
    const { list, sourceId, type, gender, title, remarks, listings } = this;
    return {
      list,
      sourceId,
      type,
      names,
      identifiers,
      wallets,
      birthDates: once(this.birthDates),
      birthPlaces: once(this.birthPlaces),
      countries: once(this.countries),
      programs: once(this.programs),
      ...(gender && { gender }),
      ...(title && { title }),
      ...(remarks && { remarks }),
      ...(listings && { listings: once(listings, (listing) => JSON.stringify(listing)) }),
    };
  }
}

const LISTING_TEXTS = ['authority', 'listName', 'listingId', 'listedOn', 'endsOn', 'reason'] as const;

type ListingTexts = Partial<Record<(typeof LISTING_TEXTS)[number], string | undefined>> &
  Partial<Pick<SanctionsListing, 'programs' | 'links' | 'types'>>;

/** The listing that these texts of a file tell, each as one plain line; empty ones are left out. */
export function plainListing({
  programs = [],
  links = [],
  types = [],
  ...texts
}: ListingTexts): SanctionsListing {
  const listing: SanctionsListing = {
    programs: plainTexts(programs),
    links: plainTexts(links),
    types: plainTexts(types),
  };
  for (const name of LISTING_TEXTS) {
    const text = plainText(texts[name] ?? '');
    if (text !== '') listing[name] = text;
  }
  return listing;
}

/** Whether a name has letters, and none of them Latin. */
export function isOriginalScript(name: string): boolean {
  return /\p{L}/u.test(name) && !/\p{Script=Latin}/u.test(name);
}

/** One line without control characters, halves of letters and doubled blanks: a database refuses some of them. */
export function plainText(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
}

/** The texts as plain ones, without those that are empty. */
export function plainTexts(texts: readonly string[]): string[] {
  return texts.map(plainText).filter((text) => text !== '');
}

function joinedOnce(present: string | undefined, text: string): string {
  const addition = plainText(text);
  if (present === undefined || addition === '') return present ?? addition;
  return present.split('; ').includes(addition) ? present : `${present}; ${addition}`;
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
