import {
  ADDRESS_TEXTS,
  ADDRESS_TYPES,
  CUSTOMER_LENGTH,
  IDENTIFIER_LENGTH,
  IDENTIFIER_TYPES,
  LEGAL_NAME_TYPES,
  NAME_LENGTH,
  NATURAL_NAME_TYPES,
  PLACE_OF_BIRTH_LENGTH,
  type AddressText,
  type IvmsAccount,
  type IvmsAddress,
  type IvmsIdentification,
  type IvmsName,
  type IvmsNames,
  type IvmsPerson,
} from './person.ts';
import type { PayloadNotes, PayloadObject } from './payload-object.ts';

// Members are named in lower case and without underscores. The first name of each list is the standard's; the others
// are what TRISA, 21 Analytics and Notabene write, or what TRISA nodes accept.

/** Longest account number of the 2023 version. */
const ACCOUNT_LENGTH = 512;
const AUTHORITY_LENGTH = 20;
const MAX_ENTRIES = 50;
/** Longer than the standard allows: a party has room for longer names of organisations, and for longer addresses. */
const LEGAL_NAME_LENGTH = 200;
const ADDRESS_TEXT_LENGTH = 200;
const MAX_ADDRESS_LINES = 20;

const LATIN_NAMES = ['nameidentifier', 'nameidentifiers'];
const LOCAL_NAMES = ['localnameidentifier', 'localnameidentifiers'];
const PHONETIC_NAMES = ['phoneticnameidentifier', 'phoneticnameidentifiers'];
const PRIMARY_NAMES = ['primaryidentifier', 'lastname', 'surname', 'familyname'];
const SECONDARY_NAMES = ['secondaryidentifier', 'firstname', 'givenname'];
const ORGANISATION_NAMES = ['legalpersonname', 'name'];
/** The members that make an object a name itself. */
const BARE_NAMES = { NATURAL: [...PRIMARY_NAMES, ...SECONDARY_NAMES], LEGAL: ORGANISATION_NAMES };
const ADDRESSES = ['geographicaddress', 'geographicaddresses', 'address', 'addresses'];

/** Passport codes of other systems. */
const IDENTIFIER_ALIASES = { PAS: 'CCPT', PASSPORT: 'CCPT' } as const;

const ADDRESS_NAMES: Readonly<Record<AddressText, readonly string[]>> = {
  department: ['department'],
  subDepartment: ['subdepartment'],
  streetName: ['streetname', 'street'],
  buildingNumber: ['buildingnumber', 'number'],
  buildingName: ['buildingname', 'building'],
  floor: ['floor'],
  postBox: ['postbox', 'pob'],
  room: ['room'],
  postCode: ['postcode', 'postalcode', 'zipcode'],
  townName: ['townname', 'town', 'city'],
  townLocationName: ['townlocationname', 'locationname'],
  districtName: ['districtname', 'district'],
  countrySubDivision: ['countrysubdivision', 'state', 'province'],
};

/** The account numbers of a person, or of all originators or beneficiaries together. */
export function readAccounts(object: PayloadObject): IvmsAccount[] {
  const found = object.texts(['accountnumber', 'accountnumbers'], MAX_ENTRIES, ACCOUNT_LENGTH);
  return found.map(({ at, text }) => ({ at, number: text }));
}

/** The natural or legal person of an object; undefined, with a fault, if there are both or none. */
export function readPerson(object: PayloadObject, notes: PayloadNotes): IvmsPerson | undefined {
  const natural = object.child(['naturalperson']);
  const legal = object.child(['legalperson']);
  const accounts = readAccounts(object);
  if (natural && legal) {
    notes.fault(object.at, 'given_twice', 'A person is either natural or legal.');
    return undefined;
  }
  const person = natural ?? legal;
  if (!person) {
    // A member of another type has a fault of its own.
    if (!object.has('naturalperson', 'legalperson')) {
      notes.fault(object.at, 'required', 'A naturalPerson or a legalPerson is expected.');
    }
    return undefined;
  }
  const kind = natural ? 'NATURAL' : 'LEGAL';
  const identification = person.child(['nationalidentification']);
  return {
    at: person.at,
    kind,
    names: readNames(person, kind),
    addresses: person.children(ADDRESSES, MAX_ENTRIES).map(readAddress),
    identification: identification && readIdentification(identification),
    customer: person.text(['customeridentification', 'customernumber'], CUSTOMER_LENGTH),
    birth: kind === 'NATURAL' ? readBirth(person) : undefined,
    country: person.country([kind === 'NATURAL' ? 'countryofresidence' : 'countryofregistration', 'country']),
    accounts,
  };
}

/**
 * The names of a person. TRISA and the standard have them below `name.nameIdentifier`, 21 Analytics in a list of such
 * objects, Notabene in `name` itself. A name that stands in both places is read from both: either could hide the other.
 */
function readNames(person: PayloadObject, kind: IvmsPerson['kind']): IvmsNames {
  const names: IvmsNames = { latin: [], local: [], phonetic: [] };
  const read = kind === 'NATURAL' ? readNaturalName : readLegalName;
  for (const item of person.children(['name', 'names'], MAX_ENTRIES)) {
    const isList = item.has(...LATIN_NAMES, ...LOCAL_NAMES, ...PHONETIC_NAMES);
    names.latin.push(...item.children(LATIN_NAMES, MAX_ENTRIES).map(read));
    if (isList ? item.has(...BARE_NAMES[kind]) : !item.isEmpty) names.latin.push(read(item));
    names.local.push(...item.children(LOCAL_NAMES, MAX_ENTRIES).map(read));
    names.phonetic.push(...item.children(PHONETIC_NAMES, MAX_ENTRIES).map(read));
  }
  return names;
}

function readNaturalName(object: PayloadObject): IvmsName {
  return {
    primary: object.text(PRIMARY_NAMES, NAME_LENGTH),
    secondary: object.text(SECONDARY_NAMES, NAME_LENGTH),
    type: object.code(['naturalpersonnameidentifiertype', 'nameidentifiertype'], NATURAL_NAME_TYPES),
  };
}

function readLegalName(object: PayloadObject): IvmsName {
  return {
    primary: object.text(ORGANISATION_NAMES, LEGAL_NAME_LENGTH),
    secondary: undefined,
    type: object.code(['legalpersonnameidentifiertype', 'nameidentifiertype'], LEGAL_NAME_TYPES),
  };
}

function readAddress(object: PayloadObject): IvmsAddress {
  const texts: IvmsAddress['texts'] = {};
  for (const field of Object.keys(ADDRESS_TEXTS) as AddressText[]) {
    const text = object.text(ADDRESS_NAMES[field], ADDRESS_TEXT_LENGTH);
    if (text !== undefined) texts[field] = text;
  }
  const lines = object.texts(['addressline', 'addresslines'], MAX_ADDRESS_LINES, ADDRESS_TEXT_LENGTH);
  return {
    at: object.at,
    type: object.code(['addresstype'], ADDRESS_TYPES),
    texts,
    lines: lines.map(({ text }) => text),
    country: object.country(['country']),
  };
}

function readIdentification(object: PayloadObject): IvmsIdentification {
  return {
    at: object.at,
    number: object.text(['nationalidentifier', 'number', 'identifiernumber'], IDENTIFIER_LENGTH),
    type: object.code(['nationalidentifiertype'], IDENTIFIER_TYPES, IDENTIFIER_ALIASES),
    country: object.country(['countryofissue', 'country']),
    authority: object.text(['registrationauthority', 'ra'], AUTHORITY_LENGTH),
  };
}

function readBirth(person: PayloadObject): IvmsPerson['birth'] {
  const birth = person.child(['dateandplaceofbirth', 'dob']);
  return (
    birth && {
      date: birth.pastDate(['dateofbirth', 'dob']),
      place: birth.text(['placeofbirth', 'pob'], PLACE_OF_BIRTH_LENGTH),
    }
  );
}
