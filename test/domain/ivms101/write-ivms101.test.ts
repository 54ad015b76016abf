import fc from 'fast-check';
import { searchWords } from '../../../domain/fold.ts';
import { IVMS101_VERSIONS, type Ivms101Message } from '../../../domain/ivms101/message.ts';
import { readIvms101 } from '../../../domain/ivms101/read-ivms101.ts';
import { writeIvms101 } from '../../../domain/ivms101/write-ivms101.ts';
import { PartyInput, type Party } from '../../../domain/parties/party.ts';
import { IS_FULL } from '../../full.ts';
import { readFixtures, writeFixtures } from './fixtures.ts';

const TODAY = '2026-11-23';
const LEI = '506700GE1G29325QX363';

const messageWith = (originator: Party): Ivms101Message => ({
  originator,
  additionalOriginators: [],
  beneficiary: null,
  additionalBeneficiaries: [],
  originatingVasp: null,
  beneficiaryVasp: null,
});

/** What a message loses, as `pointer how`. */
function lostOf(originator: Party, version: '2020' | '2023' = '2023'): string[] {
  return writeIvms101(messageWith(originator), version).lost.map(({ pointer, how }) => `${pointer} ${how}`);
}

const warningsOf = (originator: Party): string[] =>
  writeIvms101(messageWith(originator), '2023').warnings.map(({ pointer, code }) => `${pointer} ${code}`);

/** The originator as the reader finds it in the payload. */
function readBack(originator: Party, version: '2020' | '2023' = '2023') {
  const reading = readIvms101(writeIvms101(messageWith(originator), version).payload, TODAY);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return { ...reading, originator: reading.message.originator };
}

const namesIn = (originator: Party): unknown =>
  JSON.parse(
    JSON.stringify(writeIvms101(messageWith(originator), '2020').payload, (key, value: unknown) =>
      key === 'nameIdentifierType' ? undefined : value,
    ),
  );

/** A payload of one natural person with these names. */
const named = (nameIdentifier: unknown[]) => ({
  originator: { originatorPersons: [{ naturalPerson: { name: { nameIdentifier } } }] },
});

describe('the golden payloads', () => {
  describe.each(writeFixtures)('%s', (_, { message, payloads, lost, warnings }) => {
    test.each(IVMS101_VERSIONS)('%s', (version) => {
      const written = writeIvms101(message, version);
      // By text, since the order of members is the standard's.
      expect(JSON.stringify(written.payload, null, 1)).toBe(JSON.stringify(payloads[version], null, 1));
      expect(written.lost).toEqual(lost[version]);
      expect(written.warnings.map(({ pointer, code }) => ({ pointer, code }))).toEqual(warnings);
    });
  });

  test.each(IVMS101_VERSIONS)('what %s carries whole is read as it was', (version) => {
    const [, whole] = writeFixtures.find(([file]) => file === 'whole.json') ?? [];
    const written = whole && writeIvms101(whole.message, version);
    expect(readIvms101(written?.payload, TODAY)).toEqual({
      ok: true,
      version,
      message: whole?.message,
      unread: [],
      unkept: [],
      warnings: [],
    });
  });

  test.each(readFixtures)('%s is the same message after writing and reading', (_, { payload }) => {
    const first = readIvms101(payload, TODAY);
    if (!first.ok) throw new Error('The fixture was refused.');
    const written = writeIvms101(first.message, '2023');
    const second = readIvms101(written.payload, TODAY);
    const lost = new Set(written.lost.map(({ pointer }) => pointer));
    expect(second.ok && withoutLost(second.message, lost)).toEqual(withoutLost(first.message, lost));
  });
});

describe('names', () => {
  test('a whole name is not divided', () => {
    expect(namesIn({ type: 'NATURAL', name: 'Anna Maria Keller' })).toEqual(
      named([{ primaryIdentifier: 'Anna Maria Keller' }]),
    );
  });

  test('a whole name that is longer than one identifier fills both, and is read whole', () => {
    const name = `${'Anna '.repeat(30)}Keller`;
    expect(lostOf({ type: 'NATURAL', name })).toEqual([]);
    expect(readBack({ type: 'NATURAL', name }).originator?.name).toBe(name);
  });

  test('a long name without spaces, and that of an organisation, are shortened', () => {
    expect(lostOf({ type: 'NATURAL', name: 'a'.repeat(101) })).toEqual(['/originator/name SHORTENED']);
    expect(lostOf({ type: 'LEGAL', name: 'Trust '.repeat(30) })).toEqual(['/originator/name SHORTENED']);
    expect(readBack({ type: 'LEGAL', name: 'Trust '.repeat(30) }).originator?.name).toBe(
      'Trust '.repeat(17).slice(0, 100).trim(),
    );
  });

  test('a whole name that its parts do not make up is a second name', () => {
    const party: Party = { type: 'NATURAL', firstName: 'Ada', lastName: 'Lovelace', name: 'Ada King' };
    expect(namesIn(party)).toEqual(
      named([
        { primaryIdentifier: 'Lovelace', secondaryIdentifier: 'Ada' },
        { primaryIdentifier: 'Ada King' },
      ]),
    );
    expect(readBack(party).originator?.aliases).toEqual(['Ada King']);
    expect(namesIn({ ...party, name: 'LOVELACE, Ada' })).toEqual(
      named([{ primaryIdentifier: 'Lovelace', secondaryIdentifier: 'Ada' }]),
    );
  });

  test('one part beside the whole name is lost only if the name does not have it', () => {
    expect(lostOf({ type: 'NATURAL', name: 'Ada King', firstName: 'ada' })).toEqual([]);
    expect(lostOf({ type: 'NATURAL', name: 'Ada King', lastName: 'Lovelace' })).toEqual([
      '/originator/lastName LEFT_OUT',
    ]);
    expect(lostOf({ type: 'LEGAL', name: 'King Ltd', lastName: 'King', firstName: 'Ada' })).toEqual([
      '/originator/firstName LEFT_OUT',
    ]);
  });

  test('an organisation without whole name loses the fields that were given', () => {
    expect(lostOf({ type: 'LEGAL', firstName: 'Trust '.repeat(10), lastName: 'Bank '.repeat(10) })).toEqual([
      '/originator/firstName SHORTENED',
      '/originator/lastName SHORTENED',
    ]);
  });

  test('one part alone is the name', () => {
    expect(namesIn({ type: 'NATURAL', firstName: 'Ada' })).toEqual(named([{ primaryIdentifier: 'Ada' }]));
    expect(namesIn({ type: 'NATURAL', lastName: 'King' })).toEqual(named([{ primaryIdentifier: 'King' }]));
    expect(readBack({ type: 'LEGAL', firstName: 'King', lastName: 'Ltd' }).originator?.name).toBe('King Ltd');
  });

  test.each(['株式会社', 'Иванов Иван', 'José Müller', 'محمد علي'])(
    '%s arrives in its own letters',
    (name) => {
      expect(lostOf({ type: 'NATURAL', name })).toEqual([]);
      expect(readBack({ type: 'NATURAL', name }).originator?.name).toBe(name);
      expect(readBack({ type: 'LEGAL', name }, '2020').originator?.name).toBe(name);
      const first: Party = { type: 'NATURAL', firstName: name, lastName: 'Keller' };
      expect(readBack(first).originator).toMatchObject(first);
    },
  );

  test('a name of more than 100 bytes has no place but in Latin letters', () => {
    expect(lostOf({ type: 'NATURAL', name: 'Ж'.repeat(51) })).toContain('/originator/name LATIN_ONLY');
    expect(
      lostOf({ type: 'NATURAL', firstName: 'Ada', lastName: 'Ж'.repeat(51) }).map(
        (lost) => lost.split(' ')[1],
      ),
    ).toContain('LATIN_ONLY');
  });

  test('a party without a name that can be written has a placeholder that the reader leaves out', () => {
    expect(warningsOf({ type: 'NATURAL', customerIdentification: '1' })).toEqual([
      '/originator/name name_unknown',
      '/originator ivms101_c6',
    ]);
    expect(warningsOf({ type: 'LEGAL', customerIdentification: '1' })).toEqual([
      '/originator/name name_unknown',
      '/originator ivms101_c5',
    ]);
    expect(readBack({ type: 'LEGAL', customerIdentification: '1' }).originator).toEqual({
      type: 'LEGAL',
      customerIdentification: '1',
    });
  });
});

describe('other fields', () => {
  const person: Party = { type: 'NATURAL', name: 'Ada King', customerIdentification: '1' };
  const company: Party = { type: 'LEGAL', name: 'King Ltd', customerIdentification: '1' };

  test.each<[string, Party, string[]]>([
    ['a long address', { ...person, address: 'a'.repeat(491) }, ['/originator/address SHORTENED']],
    ['an address in Latin letters', { ...person, address: 'a'.repeat(490) }, []],
    [
      'an address in other letters',
      { ...person, addressDetails: { street: 'Тверская', town: 'Moskva' } },
      ['/originator/addressDetails/street LATIN_ONLY'],
    ],
    [
      'a town that grows too long in Latin letters',
      { ...person, addressDetails: { town: '東'.repeat(20) } },
      ['/originator/addressDetails/town LATIN_ONLY', '/originator/addressDetails/town SHORTENED'],
    ],
    [
      'an account number in other letters',
      { ...person, accountNumber: '№ 1' },
      ['/originator/accountNumber LEFT_OUT'],
    ],
    [
      'a document number in other letters',
      { ...person, nationalIdentificator: '第1号' },
      ['/originator/nationalIdentificator LEFT_OUT'],
    ],
    [
      'a type without a number',
      { ...person, nationalIdentificatorType: 'CCPT' },
      ['/originator/nationalIdentificatorType LEFT_OUT'],
    ],
    [
      'a country without a number',
      { ...person, identifierCountry: 'CH' },
      ['/originator/identifierCountry LEFT_OUT'],
    ],
    [
      'an authority without a number',
      { ...person, registrationAuthority: 'RA000585' },
      ['/originator/registrationAuthority LEFT_OUT'],
    ],
    [
      'an authority that is no code',
      { ...person, nationalIdentificator: '1', registrationAuthority: 'Zug' },
      ['/originator/registrationAuthority LEFT_OUT'],
    ],
    [
      'two numbers of a person',
      { ...person, nationalIdentificator: '1', lei: LEI },
      ['/originator/lei LEFT_OUT'],
    ],
    ['an LEI of a person', { ...person, lei: LEI }, []],
    [
      'one LEI in two fields',
      { ...company, nationalIdentificator: LEI, nationalIdentificatorType: 'LEIX', lei: LEI },
      [],
    ],
    [
      'a passport of an organisation',
      { ...company, nationalIdentificator: '1', nationalIdentificatorType: 'CCPT' },
      ['/originator/nationalIdentificatorType LEFT_OUT'],
    ],
    ['a place of birth alone', { ...person, placeOfBirth: 'Chur' }, ['/originator/placeOfBirth LEFT_OUT']],
    [
      'the birth of an organisation',
      { ...company, dateOfBirth: '1990-01-01', placeOfBirth: 'Chur' },
      ['/originator/dateOfBirth LEFT_OUT', '/originator/placeOfBirth LEFT_OUT'],
    ],
  ])('%s', (_, party, lost) => {
    expect(lostOf(party)).toEqual(lost);
  });

  test('a birth date without place, and an address without town, say so', () => {
    const party: Party = { ...person, dateOfBirth: '1990-01-01', addressDetails: { postCode: '8001' } };
    expect(warningsOf(party)).toEqual([
      '/originator/addressDetails/town town_unknown',
      '/originator/placeOfBirth place_of_birth_unknown',
      '/originator/addressDetails ivms101_c8',
    ]);
    expect(readBack(party).originator).toEqual(party);
  });

  test('an address of one text is divided at commas and read as it was', () => {
    const address =
      'Building Alpha of the Northern Campus, Second Floor on the Left, 12 Long Example Street, Oxford';
    expect(readBack({ ...person, address }).originator?.address).toBe(address);
  });

  test('a type that is not given is told from what only organisations have', () => {
    expect(readBack({ name: 'King', lei: LEI }).originator?.type).toBe('LEGAL');
    expect(
      readBack({ name: 'King', nationalIdentificatorType: 'RAID', nationalIdentificator: '1' }).originator
        ?.type,
    ).toBe('LEGAL');
    expect(readBack({ name: 'King' }).originator?.type).toBe('NATURAL');
    expect(warningsOf({ name: 'King', customerIdentification: '1' })).toEqual([
      '/originator/type party_type_unknown',
    ]);
  });

  test('a message without parties is an empty payload', () => {
    const nobody = { ...messageWith({}), originator: null };
    expect(writeIvms101(nobody, '2020').payload).toEqual({});
    expect(writeIvms101(nobody, '2023').payload).toEqual({ payloadMetadata: { payloadVersion: '101.2023' } });
  });
});

test('any message is written within the limits and read again, but for what is named as lost', () => {
  const party = partyArbitrary();
  const messages = fc.record({
    originator: party,
    additionalOriginators: fc.array(party, { maxLength: 5 }),
    beneficiary: party,
    additionalBeneficiaries: fc.array(party, { maxLength: 2 }),
    originatingVasp: fc.constant(null),
    beneficiaryVasp: fc.option(party),
  });
  fc.assert(
    fc.property(messages, fc.constantFrom(...IVMS101_VERSIONS), (message, version) => {
      const { payload, lost } = writeIvms101(message, version);
      // No text outside of local names has other letters.
      const texts = JSON.stringify(payload, (key, value: unknown) =>
        key === 'localNameIdentifier' ? undefined : value,
      );
      expect(texts).toMatch(/^[ -~]*$/);
      const reading = readIvms101(payload, TODAY);
      expect(reading).toMatchObject({ ok: true, version, unread: [] });
      if (!reading.ok) return;
      const pointers = new Set(lost.map(({ pointer }) => pointer));
      expect(withoutLost(reading.message, pointers)).toMatchObject(withoutLost(message, pointers));
      for (const party of ['originator', 'beneficiary', 'beneficiaryVasp'] as const) {
        const others = reading.message[party]?.aliases ?? [];
        const found = new Set(
          [...namesOf(reading.message[party], party, new Set()), ...others].flatMap(searchWords),
        );
        const given = namesOf(message[party], party, pointers).flatMap(searchWords);
        expect(given.filter((word) => !found.has(word))).toEqual([]);
      }
    }),
    { numRuns: IS_FULL ? 5_000 : 300 },
  );
});

/** The names of a party but for those that are lost. */
function namesOf(party: Party | null, at: string, lost: ReadonlySet<string>): string[] {
  const fields = ['name', 'firstName', 'lastName'] as const;
  const kept = fields.filter((field) => !lost.has(`/${at}/${field}`));
  return kept.map((field) => party?.[field]).filter((name) => name !== undefined);
}

/** Parties as the API accepts them, in all the scripts that it accepts. */
function partyArbitrary(): fc.Arbitrary<Party> {
  const words = fc.constantFrom(
    'Ada',
    'King',
    "O'Neil",
    'José',
    'Müller',
    'Иван',
    '株式',
    'محمد',
    '12-b',
    'of the',
    '😀',
    'ß',
  );
  const text = (maxLength: number) =>
    fc.array(words, { minLength: 1, maxLength: 12 }).map((each) =>
      each
        .join(' ')
        .slice(0, maxLength)
        .replace(/\p{Surrogate}/u, '')
        .trim(),
    );
  const country = fc.constantFrom('CH', 'GB', 'KP', 'XK');
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const fields = {
    type: fc.constantFrom('NATURAL', 'LEGAL'),
    name: optional(text(200)),
    firstName: optional(text(100)),
    lastName: optional(text(100)),
    accountNumber: optional(text(100)),
    address: optional(text(500)),
    addressDetails: optional(
      fc.record(
        { street: text(70), buildingNumber: text(16), postCode: text(16), town: text(35) },
        { requiredKeys: [] },
      ),
    ),
    country: optional(country),
    nationalIdentificatorType: optional(fc.constantFrom('CCPT', 'RAID', 'TXID', 'MISC')),
    nationalIdentificator: optional(text(35)),
    identifierCountry: optional(country),
    registrationAuthority: optional(fc.constantFrom('RA000585', 'Zug')),
    lei: optional(fc.constant(LEI)),
    customerIdentification: optional(text(50)),
    dateOfBirth: optional(fc.constant('1990-02-28')),
    placeOfBirth: optional(text(70)),
  };
  return fc.record(fields).map((party) => PartyInput.parse(withoutAbsent(party)));
}

function withoutAbsent(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * A message as far as a payload can carry it: without the fields that are named as lost, with texts compared without
 * commas and spaces, which the lines of an address do not keep, and names as one text of words.
 */
function withoutLost(message: Ivms101Message, lost: ReadonlySet<string>): object {
  const comparable = (value: unknown, pointer: string): unknown => {
    if (lost.has(pointer)) return undefined;
    if (typeof value === 'string') return value.replace(/[\s,]+/g, '');
    if (Array.isArray(value)) return value.map((entry, index) => comparable(entry, `${pointer}/${index}`));
    if (typeof value !== 'object' || value === null) return value;
    const { name: _name, firstName: _first, lastName: _last, ...others } = value as Record<string, unknown>;
    const members = Object.entries(others).map(
      ([key, member]) => [key, comparable(member, `${pointer}/${key}`)] as const,
    );
    const given = members.filter(
      // The LEI of a party may have been given as its identifier, whose type is MISC where there was none.
      ([key, member]) =>
        member !== undefined && !key.startsWith('nationalIdentificatorType') && !isEmptyObject(member),
    );
    return Object.fromEntries(given);
  };
  return comparable(message, '') as object;
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
