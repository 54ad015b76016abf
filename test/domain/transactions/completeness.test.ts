import { completenessOf, missingFieldsOf } from '../../../domain/transactions/completeness.ts';
import { isMissingField, MISSING_FIELDS } from '../../../domain/rules/missing-fields.ts';
import type { Party } from '../../../domain/parties/party.ts';

const person: Party = {
  name: 'Anna Keller',
  accountNumber: 'A-1',
  address: 'Weg 1, Chur',
  country: 'CH',
  nationalIdentificator: 'P123',
  customerIdentification: 'C-1',
};
const company: Party = { ...person, type: 'LEGAL', lei: '5493001KJTIIGC8Y1R12' };
const beneficiary: Party = { name: 'Jonas Brandt' };

function without(party: Party, ...fields: (keyof Party)[]): Party {
  return Object.fromEntries(
    Object.entries(party).filter(([field]) => !fields.includes(field as keyof Party)),
  );
}

function missing(originator: Party | null, to: Party | null = beneficiary, origin: string | null = null) {
  const personal = { originator, beneficiary: to };
  return completenessOf({ personal, origin, destination: '0x1', sealed: false })?.missing;
}

const DOCUMENTED = 'originator.address+country+nationalIdentificator+customerIdentification';
const PERSON = `${DOCUMENTED}|originator.dateOfBirth+placeOfBirth`;

test.each<[string, string[] | undefined, string[]]>([
  ['a person with all of it', missing(person), []],
  [
    'first and last name instead of one name',
    missing({ ...without(person, 'name'), firstName: 'A', lastName: 'K' }),
    [],
  ],
  [
    'a name of symbols',
    missing({ ...person, name: '-' }, { name: '?' }),
    ['originator.name', 'beneficiary.name'],
  ],
  [
    'a last name of symbols',
    missing({ ...without(person, 'name'), firstName: 'Anna', lastName: '-' }),
    ['originator.name'],
  ],
  [
    'placeholders',
    missing({ ...person, name: 'N/A' }, { name: 'NULL' }),
    ['originator.name', 'beneficiary.name'],
  ],
  [
    'a last name that may be one',
    missing({ ...without(person, 'name'), firstName: 'Christopher', lastName: 'Null' }),
    [],
  ],
  ['a name in another script', missing({ ...person, name: '李小龍' }), []],
  ['a first name alone', missing({ ...without(person, 'name'), firstName: 'A' }), ['originator.name']],
  ['no account but a wallet', missing(without(person, 'accountNumber'), beneficiary, '0x2'), []],
  [
    'neither account nor wallet',
    missing(without(person, 'accountNumber')),
    ['originator.accountNumber|blockchainInfo.origin'],
  ],
  [
    'address details instead of an address',
    missing({ ...without(person, 'address'), addressDetails: { town: 'Chur' } }),
    [],
  ],
  ['no address', missing(without(person, 'address')), [PERSON]],
  ['an empty address', missing({ ...without(person, 'address'), addressDetails: {} }), [PERSON]],
  ['no country', missing(without(person, 'country')), [PERSON]],
  ['no document', missing(without(person, 'nationalIdentificator')), [PERSON]],
  ['no customer id', missing(without(person, 'customerIdentification')), [PERSON]],
  [
    'date and place of birth instead',
    missing({ ...without(person, 'address', 'country'), dateOfBirth: '1988-04-12', placeOfBirth: 'Chur' }),
    [],
  ],
  [
    'a date of birth without its place',
    missing({ ...without(person, 'address'), dateOfBirth: '1988-04-12' }),
    [PERSON],
  ],
  ['a company with all of it', missing(company), []],
  ['a company with a registration number instead of an LEI', missing(without(company, 'lei')), []],
  [
    'a company without address, whatever birth it claims',
    missing({ ...without(company, 'address'), dateOfBirth: '1988-04-12', placeOfBirth: 'Chur' }),
    [DOCUMENTED],
  ],
  [
    'a company with neither LEI nor registration number',
    missing(without(company, 'lei', 'nationalIdentificator')),
    [DOCUMENTED, 'originator.lei|originator.nationalIdentificator'],
  ],
  ['no beneficiary', missing(person, null), ['beneficiary.name']],
  [
    'a beneficiary company without LEI: only where it is known',
    missing(person, { type: 'LEGAL', name: 'B AG' }),
    [],
  ],
])('%s', (_, found, expected) => {
  expect(found).toEqual(expected);
});

test('no originator at all names each requirement', () => {
  expect(missing(null)).toEqual([
    'originator.name',
    'originator.accountNumber|blockchainInfo.origin',
    PERSON,
  ]);
});

test('complete says whether anything is missing; of a sealed record nothing is claimed', () => {
  const subject = { personal: { originator: person, beneficiary }, origin: null, destination: '0x1' };
  expect(completenessOf({ ...subject, sealed: false })).toEqual({
    profile: 'EU_TFR',
    complete: true,
    missing: [],
  });
  expect(completenessOf({ ...subject, sealed: true })).toBeNull();
});

describe('the single fields for rules', () => {
  const fieldsOf = (originator: Party | null, to: Party | null = beneficiary, origin: string | null = null) =>
    missingFieldsOf({ personal: { originator, beneficiary: to }, origin, destination: '0x1', sealed: false });

  test.each<[string, string[] | undefined, string[]]>([
    ['a person with all of it', fieldsOf(person), []],
    [
      'no account and no wallet',
      fieldsOf(without(person, 'accountNumber')),
      ['originator.accountNumber', 'blockchainInfo.origin'],
    ],
    [
      'a person without document and address, of whom the date of birth is known',
      fieldsOf({ ...without(person, 'address', 'nationalIdentificator'), dateOfBirth: '1988-04-12' }),
      ['originator.address', 'originator.nationalIdentificator', 'originator.placeOfBirth'],
    ],
    ['a company without address', fieldsOf({ ...without(company, 'address') }), ['originator.address']],
    ['nobody named as beneficiary', fieldsOf(person, null), ['beneficiary.name']],
  ])('%s', (_what, fields, expected) => {
    expect(fields).toEqual(expected);
  });

  test('are of the closed set, and so is every value that completeness names', () => {
    const nobody: Party[] = [{}, { type: 'LEGAL' }];
    for (const party of nobody) {
      expect(missing(party, null)?.filter((text) => !isMissingField(text))).toEqual([]);
      const fields = fieldsOf(party, null) ?? [];
      expect(fields.length).toBeGreaterThan(0);
      expect(fields.filter((field) => !(MISSING_FIELDS as readonly string[]).includes(field))).toEqual([]);
    }
  });

  test('of a sealed record are not known', () => {
    const personal = { originator: person, beneficiary };
    expect(missingFieldsOf({ personal, origin: null, destination: '0x1', sealed: true })).toBeUndefined();
  });
});
