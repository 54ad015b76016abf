/** Codes of the standard. MISC for legal names and addresses is an addition of TRISA. */
export const NATURAL_NAME_TYPES = ['ALIA', 'BIRT', 'MAID', 'LEGL', 'MISC'] as const;
export const LEGAL_NAME_TYPES = ['LEGL', 'SHRT', 'TRAD', 'MISC'] as const;
export const ADDRESS_TYPES = ['HOME', 'BIZZ', 'GEOG', 'MISC'] as const;
export const IDENTIFIER_TYPES = [
  'ARNU',
  'CCPT',
  'RAID',
  'DRLC',
  'FIIN',
  'TXID',
  'SOCS',
  'IDCD',
  'LEIX',
  'MISC',
] as const;
export type IdentifierType = (typeof IDENTIFIER_TYPES)[number];
/** Identifier types of which a legal person may have a number (constraint C7). */
export const LEGAL_IDENTIFIER_TYPES: readonly IdentifierType[] = ['LEIX', 'RAID', 'TXID', 'MISC'];

/** Longest names in characters; of names in local letters also in bytes, since some readers count those. */
export const NAME_LENGTH = 100;
export const IDENTIFIER_LENGTH = 35;
export const CUSTOMER_LENGTH = 50;
export const PLACE_OF_BIRTH_LENGTH = 70;
export const ADDRESS_LINE_LENGTH = 70;
export const ADDRESS_LINES = 7;

/** The texts of an address, in the order of the standard, with their greatest lengths. */
export const ADDRESS_TEXTS = {
  department: 50,
  subDepartment: 70,
  streetName: 70,
  buildingNumber: 16,
  buildingName: 35,
  floor: 70,
  postBox: 16,
  room: 70,
  postCode: 16,
  townName: 35,
  townLocationName: 35,
  districtName: 35,
  countrySubDivision: 35,
} as const;
export type AddressText = keyof typeof ADDRESS_TEXTS;

/** A name of a person. The name of a legal person is in `primary`. */
export interface IvmsName {
  type: string | undefined;
  primary: string | undefined;
  secondary: string | undefined;
}

/** The names of a person: in Latin letters, in the letters of their language, and as they sound. */
export interface IvmsNames {
  latin: IvmsName[];
  local: IvmsName[];
  phonetic: IvmsName[];
}

export interface IvmsAddress {
  at: string;
  type: string | undefined;
  texts: Partial<Record<AddressText, string>>;
  lines: string[];
  country: string | undefined;
}

export interface IvmsIdentification {
  at: string;
  number: string | undefined;
  type: IdentifierType | undefined;
  country: string | undefined;
  authority: string | undefined;
}

/** Account number of a person, and the JSON Pointer to it. */
export interface IvmsAccount {
  at: string;
  number: string;
}

/**
 * A natural or legal person of IVMS101, whatever the version and spelling. `at` are JSON Pointers: into the payload
 * that was read, or into the message that is written.
 */
export interface IvmsPerson {
  at: string;
  kind: 'NATURAL' | 'LEGAL';
  names: IvmsNames;
  addresses: IvmsAddress[];
  identification: IvmsIdentification | undefined;
  customer: string | undefined;
  birth: { date: string | undefined; place: string | undefined } | undefined;
  country: string | undefined;
  accounts: IvmsAccount[];
}
