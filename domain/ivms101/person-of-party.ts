import type { FieldError } from '../errors.ts';
import type { Party } from '../parties/party.ts';
import { brokenConstraints } from './constraints.ts';
import { LostFields, type LostField } from './lost-fields.ts';
import { NOT_PROVIDED, UNKNOWN_COUNTRY } from './message.ts';
import {
  ADDRESS_LINES,
  ADDRESS_LINE_LENGTH,
  ADDRESS_TEXTS,
  CUSTOMER_LENGTH,
  IDENTIFIER_LENGTH,
  LEGAL_IDENTIFIER_TYPES,
  PLACE_OF_BIRTH_LENGTH,
  type IvmsAddress,
  type IvmsIdentification,
  type IvmsPerson,
} from './person.ts';
import { namesOfParty } from './names-of-party.ts';

const REGISTRATION_AUTHORITY = /^RA\d{6}$/;
const ACCOUNT_LENGTH = 100;

/** A party as a person of IVMS101. */
export interface PersonWriting {
  person: IvmsPerson;
  lost: LostField[];
  /** What strict readers may refuse; pointers into the message. */
  warnings: FieldError[];
}

/** Writes a party as a person. `at` is the JSON Pointer to the party, with which those of its fields begin. */
export function personOfParty(
  party: Party,
  at: string,
  { isOriginator }: { isOriginator: boolean },
): PersonWriting {
  const lost = new LostFields(at);
  const warnings: FieldError[] = [];
  const kind = party.type ?? (isLikelyLegal(party) ? 'LEGAL' : 'NATURAL');
  if (party.type === undefined) {
    const message = `The party has no type. It is written as a ${kind.toLowerCase()} person.`;
    warnings.push({ pointer: `${at}/type`, code: 'party_type_unknown', message });
  }
  const names = namesOfParty(party, kind, lost);
  if (names.latin[0]?.primary === NOT_PROVIDED) {
    const message = `The party has no name that the standard can express. "${NOT_PROVIDED}" is written.`;
    warnings.push({ pointer: `${at}/name`, code: 'name_unknown', message });
  }
  const address = addressOf(party, at, lost, warnings);
  const account = lost.identifier('accountNumber', party.accountNumber, ACCOUNT_LENGTH);
  const person: IvmsPerson = {
    at,
    kind,
    names,
    addresses: address ? [address] : [],
    identification: kind === 'LEGAL' ? legalIdentifier(party, at, lost) : naturalIdentifier(party, at, lost),
    customer: lost.identifier('customerIdentification', party.customerIdentification, CUSTOMER_LENGTH),
    birth: birthOf(party, kind, { at, lost, warnings }),
    country: party.country,
    accounts: account === undefined ? [] : [{ at: `${at}/accountNumber`, number: account }],
  };
  return { person, lost: lost.list, warnings: [...warnings, ...brokenConstraints(person, { isOriginator })] };
}

/** Whether a party without type has what only organisations have. */
function isLikelyLegal({ lei, registrationAuthority, nationalIdentificatorType }: Party): boolean {
  const isOfRegister = nationalIdentificatorType === 'RAID' || nationalIdentificatorType === 'LEIX';
  return Boolean(lei ?? registrationAuthority) || isOfRegister;
}

function addressOf(
  { address, addressDetails, country }: Party,
  at: string,
  lost: LostFields,
  warnings: FieldError[],
): IvmsAddress | undefined {
  const detail = (field: keyof NonNullable<typeof addressDetails>, maxLength: number) =>
    lost.text(`addressDetails/${field}`, addressDetails?.[field], maxLength);
  const texts = {
    streetName: detail('street', ADDRESS_TEXTS.streetName),
    buildingNumber: detail('buildingNumber', ADDRESS_TEXTS.buildingNumber),
    postCode: detail('postCode', ADDRESS_TEXTS.postCode),
    townName: detail('town', ADDRESS_TEXTS.townName),
    countrySubDivision: detail('countrySubDivision', ADDRESS_TEXTS.countrySubDivision),
  };
  const lines = lost.lines('address', address, ADDRESS_LINES, ADDRESS_LINE_LENGTH);
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  if (given.length === 0 && lines.length === 0) return undefined;
  if (texts.townName === undefined) {
    const message = `The standard demands a town. "${NOT_PROVIDED}" is written.`;
    warnings.push({ pointer: `${at}/addressDetails/town`, code: 'town_unknown', message });
  }
  return {
    at: given.length > 0 ? `${at}/addressDetails` : `${at}/address`,
    // Unspecified physical address, the type that the standard asks of legal persons and accepts of all.
    type: 'GEOG',
    texts: { ...Object.fromEntries(given), townName: texts.townName ?? NOT_PROVIDED },
    lines,
    country: country ?? UNKNOWN_COUNTRY,
  };
}

/** An organisation has one identifier: the LEI where there is one, since it needs no registration authority. */
function legalIdentifier(party: Party, at: string, lost: LostFields): IvmsIdentification | undefined {
  const { lei, nationalIdentificator, nationalIdentificatorType: type } = party;
  if (party.identifierCountry !== undefined) lost.leftOut('identifierCountry');
  if (lei !== undefined) {
    if (nationalIdentificator !== undefined && nationalIdentificator !== lei) {
      lost.leftOut('nationalIdentificator');
      if (type !== undefined) lost.leftOut('nationalIdentificatorType');
    }
    if (party.registrationAuthority !== undefined) lost.leftOut('registrationAuthority');
    return { at: `${at}/lei`, number: lei, type: 'LEIX', country: undefined, authority: undefined };
  }
  const number = lost.identifier('nationalIdentificator', nationalIdentificator, IDENTIFIER_LENGTH);
  const authority = authorityOf(party, type === 'LEIX' ? undefined : number, lost);
  const isOfLegal = type === undefined || LEGAL_IDENTIFIER_TYPES.includes(type);
  if (type !== undefined && (number === undefined || !isOfLegal)) lost.leftOut('nationalIdentificatorType');
  if (number === undefined) return undefined;
  return {
    at: `${at}/nationalIdentificator`,
    number,
    type: isOfLegal ? (type ?? 'MISC') : 'MISC',
    country: undefined,
    authority,
  };
}

/** A natural person has one identifier: that of a document; an LEI where there is no other. */
function naturalIdentifier(party: Party, at: string, lost: LostFields): IvmsIdentification | undefined {
  const { lei, nationalIdentificator, nationalIdentificatorType: type, identifierCountry } = party;
  const number = lost.identifier('nationalIdentificator', nationalIdentificator, IDENTIFIER_LENGTH);
  if (number !== undefined && lei !== undefined && lei !== number) lost.leftOut('lei');
  if (number === undefined && type !== undefined) lost.leftOut('nationalIdentificatorType');
  const written = number ?? lei;
  const authority = authorityOf(party, written, lost);
  if (written === undefined) {
    if (identifierCountry !== undefined) lost.leftOut('identifierCountry');
    return undefined;
  }
  return {
    at: `${at}/${number === undefined ? 'lei' : 'nationalIdentificator'}`,
    number: written,
    type: number === undefined ? 'LEIX' : (type ?? 'MISC'),
    country: identifierCountry,
    authority,
  };
}

/** The code of the registration authority, where it has the form of one and belongs to an identifier. */
function authorityOf(
  { registrationAuthority }: Party,
  number: string | undefined,
  lost: LostFields,
): string | undefined {
  if (registrationAuthority === undefined) return undefined;
  if (number !== undefined && REGISTRATION_AUTHORITY.test(registrationAuthority))
    return registrationAuthority;
  lost.leftOut('registrationAuthority');
  return undefined;
}

/** The standard has date and place of birth together, and of natural persons only. */
function birthOf(
  { dateOfBirth, placeOfBirth }: Party,
  kind: IvmsPerson['kind'],
  { at, lost, warnings }: { at: string; lost: LostFields; warnings: FieldError[] },
): IvmsPerson['birth'] {
  if (kind === 'LEGAL' || dateOfBirth === undefined) {
    if (dateOfBirth !== undefined) lost.leftOut('dateOfBirth');
    if (placeOfBirth !== undefined) lost.leftOut('placeOfBirth');
    return undefined;
  }
  const place = lost.text('placeOfBirth', placeOfBirth, PLACE_OF_BIRTH_LENGTH);
  if (place === undefined) {
    const message = `The standard demands a place of birth with the date. "${NOT_PROVIDED}" is written.`;
    warnings.push({ pointer: `${at}/placeOfBirth`, code: 'place_of_birth_unknown', message });
  }
  return { date: dateOfBirth, place: place ?? NOT_PROVIDED };
}
