import { isLei } from '../lei.ts';
import { MAX_ALIASES, MAX_ALIAS_LENGTH, type Party } from '../parties/party.ts';
import type { FieldError } from '../errors.ts';
import { cut, latinSpelling } from './latin.ts';
import { saysNotProvided } from './message.ts';
import {
  ADDRESS_TEXTS,
  type AddressText,
  type IvmsAddress,
  type IvmsIdentification,
  type IvmsName,
  type IvmsPerson,
} from './person.ts';

/** Longest texts of a party. */
const WHOLE_NAME_LENGTH = 200;
const ADDRESS_LENGTH = 500;
const ACCOUNT_LENGTH = 100;

/** Parts of an address that a party has a field of its own for. */
const DETAILS = {
  street: 'streetName',
  buildingNumber: 'buildingNumber',
  postCode: 'postCode',
  town: 'townName',
  countrySubDivision: 'countrySubDivision',
} as const satisfies Record<keyof NonNullable<Party['addressDetails']>, AddressText>;

/** A person of IVMS101 as a party. */
export interface PersonReading {
  party: Party;
  /** JSON Pointers into the payload to what the party has no place for. */
  unread: string[];
  /** Names and accounts, by which a person is compared with lists, that the party has no place for. */
  unkept: FieldError[];
}

export function partyOfPerson(person: IvmsPerson): PersonReading {
  const { chosen, aliases } = namesOf(person);
  const [address, ...otherAddresses] = person.addresses;
  const accounts = accountsOf(person);
  const place = address && placeOf(address, person.country);
  const { date, place: placeOfBirth } = person.birth ?? {};
  const party = givenFields({
    type: person.kind,
    ...(chosen && nameFields(chosen)),
    aliases: aliases.length === 0 ? undefined : aliases,
    accountNumber: accounts.number,
    address: place?.address,
    addressDetails: place?.addressDetails,
    country: person.country ?? address?.country,
    ...(person.identification && identifierFields(person.identification)),
    customerIdentification: person.customer,
    dateOfBirth: date,
    placeOfBirth: placeOfBirth !== undefined && saysNotProvided(placeOfBirth) ? undefined : placeOfBirth,
  });
  const unread = [...accounts.unread, ...(place?.unread ?? []), ...otherAddresses.map(({ at }) => at)];
  return { party, unread, unkept: [...aliasFaults(person, aliases), ...accounts.unread.map(accountFault)] };
}

function aliasFaults({ at }: IvmsPerson, aliases: readonly string[]): FieldError[] {
  if (aliases.length > MAX_ALIASES)
    return [
      { pointer: at, code: 'too_many', message: `A person has at most ${MAX_ALIASES} other names here.` },
    ];
  if (aliases.every((alias) => alias.length <= MAX_ALIAS_LENGTH)) return [];
  const message = `Another name of a person has at most ${MAX_ALIAS_LENGTH} characters here.`;
  return [{ pointer: at, code: 'too_long', message }];
}

function accountFault(pointer: string): FieldError {
  const message = `A person has one account here, of at most ${ACCOUNT_LENGTH} characters.`;
  return { pointer, code: 'too_many', message };
}

/** The first account number that a party can have. The standard of 2023 allows 512 characters. */
function accountsOf({ accounts }: IvmsPerson): { number: string | undefined; unread: string[] } {
  const chosen = accounts.find(({ number }) => number.length <= ACCOUNT_LENGTH);
  return {
    number: chosen?.number,
    unread: accounts.filter(({ number }) => number !== chosen?.number).map(({ at }) => at),
  };
}

/**
 * The legal name, else the first one, in the letters of its language where it is known in both; and every other name: as
 * it is called, was called at birth, is written or sounds. The mere spelling of a name in Latin letters is none.
 */
function namesOf({ names }: IvmsPerson): { chosen: IvmsName | undefined; aliases: string[] } {
  const latin = names.latin.filter(isName);
  const spoken = [...names.local, ...names.phonetic].filter(isName);
  const first = latin.find(({ type }) => type === 'LEGL') ?? latin[0] ?? spoken[0];
  const original = first && names.local.find((local) => isSpellingOf(first, local));
  const chosen = original ?? first;
  const own = latin.filter((name) => !names.local.some((local) => isSpellingOf(name, local)));
  const others = [...own, ...spoken].filter((name) => name !== first && name !== chosen);
  const wholeName = chosen && wholeNameOf(chosen);
  const aliases = new Set(others.map(wholeNameOf).filter((name) => name !== wholeName));
  return { chosen, aliases: [...aliases] };
}

function isName(name: IvmsName): boolean {
  const whole = wholeNameOf(name);
  return whole !== '' && !saysNotProvided(whole);
}

/** Whether the first name is the second one in Latin letters. */
function isSpellingOf(latin: IvmsName, local: IvmsName): boolean {
  const isSpelt = (text: string | undefined, original: string | undefined) =>
    text === (original && latinSpelling(original));
  return isSpelt(latin.primary, local.primary) && isSpelt(latin.secondary, local.secondary);
}

function wholeNameOf({ primary, secondary }: IvmsName): string {
  return [secondary, primary].filter(Boolean).join(' ');
}

/** A name that the sender has not divided is the whole name. */
function nameFields(name: IvmsName): Record<string, string | undefined> {
  const whole = wholeNameOf(name);
  const { primary, secondary } = name;
  if (!primary || !secondary) return { name: whole };
  return {
    name: whole.length > WHOLE_NAME_LENGTH ? undefined : whole,
    firstName: secondary,
    lastName: primary,
  };
}

/**
 * The address of a party. What has no field of its own, or is too long for it, goes into the text of the address, behind
 * its lines; so does a country that is not the person's: an address is not moved to another country.
 */
function placeOf({ at, texts, lines, country: of }: IvmsAddress, country: string | undefined) {
  const details = new Map(
    Object.entries(DETAILS).filter(([, name]) => (texts[name]?.length ?? 0) <= ADDRESS_TEXTS[name]),
  );
  const given = [...details].map(([field, name]) => [field, texts[name]] as const);
  const shown = given.filter(([, text]) => text !== undefined && !saysNotProvided(text));
  const own = new Set<AddressText>(details.values());
  const others = (Object.keys(ADDRESS_TEXTS) as AddressText[]).filter((name) => !own.has(name));
  const elsewhere = country !== undefined && of !== country ? of : undefined;
  const parts = [...lines, ...others.map((name) => texts[name]), elsewhere];
  const whole = parts.filter((text) => text !== undefined).join(', ');
  const text = whole.length > ADDRESS_LENGTH ? cut(whole, ADDRESS_LENGTH) : whole;
  return {
    address: text === '' ? undefined : text,
    addressDetails: shown.length === 0 ? undefined : Object.fromEntries(shown),
    unread: text === whole ? [] : [at],
  };
}

/** A Legal Entity Identifier has a field of its own. One with a wrong checksum is a number of an unknown kind. */
function identifierFields({
  number,
  type,
  country,
  authority,
}: IvmsIdentification): Partial<Record<keyof Party, string | undefined>> {
  const lei = type === 'LEIX' ? number?.toUpperCase() : undefined;
  const issuer = { identifierCountry: country, registrationAuthority: authority };
  if (lei !== undefined && isLei(lei)) return { lei, ...issuer };
  return {
    nationalIdentificatorType: type === 'LEIX' ? 'MISC' : type,
    nationalIdentificator: number,
    ...issuer,
  };
}

function givenFields(fields: Partial<Record<keyof Party, unknown>>): Party {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Party;
}
