import type { FieldError } from '../errors.ts';
import type { Party } from '../parties/party.ts';
import type { LostField } from './lost-fields.ts';
import type { Ivms101Message, Ivms101Version } from './message.ts';
import { personOfParty } from './person-of-party.ts';
import {
  ADDRESS_TEXTS,
  type AddressText,
  type IvmsAddress,
  type IvmsName,
  type IvmsPerson,
} from './person.ts';

type Json = Record<string, unknown>;

export interface Ivms101Writing {
  payload: Json;
  /** Fields of the message that the payload does not have as they are. */
  lost: LostField[];
  /** What strict readers may refuse; pointers into the message. */
  warnings: FieldError[];
}

/** Where the versions differ. */
interface Spelling {
  originatorPersons: string;
  beneficiaryPersons: string;
  naturalNameType: string;
  postCode: string;
  /** Whether each person has account numbers of its own. */
  accountsOfPersons: boolean;
  metadata: Json;
}

const SPELLINGS: Readonly<Record<Ivms101Version, Spelling>> = {
  // As 21 Analytics reads it, which refuses any other member, metadata too. TRISA nodes read it as well, but for the
  // customer number of a legal person, which they look for in customerNumber.
  '2020': {
    originatorPersons: 'originatorPersons',
    beneficiaryPersons: 'beneficiaryPersons',
    naturalNameType: 'nameIdentifierType',
    postCode: 'postCode',
    accountsOfPersons: false,
    metadata: {},
  },
  '2023': {
    originatorPersons: 'originatorPerson',
    beneficiaryPersons: 'beneficiaryPerson',
    naturalNameType: 'naturalPersonNameIdentifierType',
    postCode: 'postcode',
    accountsOfPersons: true,
    metadata: { payloadMetadata: { payloadVersion: '101.2023' } },
  },
};

/** Writes a message as IVMS101 payload, strictly as the standard has it, with members in its order. */
export function writeIvms101(message: Ivms101Message, version: Ivms101Version): Ivms101Writing {
  const spelling = SPELLINGS[version];
  const writing: Ivms101Writing = { payload: {}, lost: [], warnings: [] };
  const personOf = (party: Party, at: string, { isOriginator = false } = {}): IvmsPerson => {
    const { person, lost, warnings } = personOfParty(party, at, { isOriginator });
    writing.lost.push(...lost);
    writing.warnings.push(...warnings);
    return person;
  };
  const { originator, additionalOriginators, beneficiary, additionalBeneficiaries } = message;
  const { originatingVasp, beneficiaryVasp } = message;
  const originators = [
    ...(originator ? [personOf(originator, '/originator', { isOriginator: true })] : []),
    ...additionalOriginators.map((party, index) =>
      personOf(party, `/additionalOriginators/${index}`, { isOriginator: true }),
    ),
  ];
  const beneficiaries = [
    ...(beneficiary ? [personOf(beneficiary, '/beneficiary')] : []),
    ...additionalBeneficiaries.map((party, index) => personOf(party, `/additionalBeneficiaries/${index}`)),
  ];
  const originating = originatingVasp && personOf(originatingVasp, '/originatingVasp');
  const receiving = beneficiaryVasp && personOf(beneficiaryVasp, '/beneficiaryVasp');
  if (!spelling.accountsOfPersons) {
    writing.lost.push(
      ...accountsOf([...originators.slice(1), ...beneficiaries.slice(1), originating, receiving]),
    );
  }
  writing.payload = {
    ...sideJson('originator', spelling.originatorPersons, originators, spelling),
    ...sideJson('beneficiary', spelling.beneficiaryPersons, beneficiaries, spelling),
    ...(originating && vaspJson('originatingVASP', originating, spelling)),
    ...(receiving && vaspJson('beneficiaryVASP', receiving, spelling)),
    ...spelling.metadata,
  };
  return writing;
}

/**
 * Account numbers that have no place beside the persons: those of VASPs, and of additional persons, since nobody could
 * tell whose they are.
 */
function accountsOf(persons: readonly (IvmsPerson | null)[]): LostField[] {
  const accounts = persons.flatMap((person) => person?.accounts ?? []);
  return accounts.map(({ at }) => ({ pointer: at, how: 'LEFT_OUT' }));
}

function sideJson(
  side: string,
  personsName: string,
  persons: readonly IvmsPerson[],
  spelling: Spelling,
): Json {
  const [first] = persons;
  if (!first) return {};
  return {
    [side]: {
      [personsName]: persons.map((person) => personJson(person, spelling)),
      ...(spelling.accountsOfPersons ? {} : accountJson(first)),
    },
  };
}

function vaspJson(entity: string, person: IvmsPerson, spelling: Spelling): Json {
  return { [entity]: { [entity]: personJson(person, spelling) } };
}

function personJson(person: IvmsPerson, spelling: Spelling): Json {
  const body = person.kind === 'NATURAL' ? naturalJson(person, spelling) : legalJson(person, spelling);
  return {
    [person.kind === 'NATURAL' ? 'naturalPerson' : 'legalPerson']: body,
    ...(spelling.accountsOfPersons ? accountJson(person) : {}),
  };
}

function accountJson({ accounts }: IvmsPerson): Json {
  return accounts.length === 0 ? {} : { accountNumber: accounts.map(({ number }) => number) };
}

function naturalJson(person: IvmsPerson, spelling: Spelling): Json {
  const name = (typeName: string) => (given: IvmsName) =>
    givenMembers({
      primaryIdentifier: given.primary,
      secondaryIdentifier: given.secondary,
      [typeName]: given.type,
    });
  const { latin, local } = person.names;
  return givenMembers({
    name: givenMembers({
      nameIdentifier: latin.map(name(spelling.naturalNameType)),
      // Local names keep the old name of the member in both versions.
      localNameIdentifier: listOf(local.map(name('nameIdentifierType'))),
    }),
    geographicAddress: listOf(person.addresses.map((address) => addressJson(address, spelling))),
    nationalIdentification: identificationJson(person),
    customerIdentification: person.customer,
    dateAndPlaceOfBirth: person.birth && { dateOfBirth: person.birth.date, placeOfBirth: person.birth.place },
    countryOfResidence: person.country,
  });
}

function legalJson(person: IvmsPerson, spelling: Spelling): Json {
  const name = ({ primary, type }: IvmsName) => ({
    legalPersonName: primary,
    legalPersonNameIdentifierType: type,
  });
  const { latin, local } = person.names;
  return givenMembers({
    name: givenMembers({
      nameIdentifier: latin.map(name),
      localNameIdentifier: listOf(local.map(name)),
    }),
    geographicAddress: listOf(person.addresses.map((address) => addressJson(address, spelling))),
    customerIdentification: person.customer,
    nationalIdentification: identificationJson(person),
    countryOfRegistration: person.country,
  });
}

function addressJson({ type, texts, lines, country }: IvmsAddress, spelling: Spelling): Json {
  const fields = Object.keys(ADDRESS_TEXTS) as AddressText[];
  const members = fields.map((field) => [field === 'postCode' ? spelling.postCode : field, texts[field]]);
  return givenMembers({
    addressType: type,
    ...(Object.fromEntries(members) as Json),
    addressLine: listOf(lines),
    country,
  });
}

function identificationJson({ identification }: IvmsPerson): Json | undefined {
  return (
    identification &&
    givenMembers({
      nationalIdentifier: identification.number,
      nationalIdentifierType: identification.type,
      countryOfIssue: identification.country,
      registrationAuthority: identification.authority,
    })
  );
}

function listOf<T>(entries: readonly T[]): readonly T[] | undefined {
  return entries.length === 0 ? undefined : entries;
}

function givenMembers(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
