import fc from 'fast-check';
import type { Ivms101Message } from '../../../domain/ivms101/message.ts';
import { readIvms101 } from '../../../domain/ivms101/read-ivms101.ts';
import { PartyInput, partyFaults, type Party } from '../../../domain/parties/party.ts';
import { IS_FULL } from '../../full.ts';
import { payloadOf, readFixtures } from './fixtures.ts';

const TODAY = '2026-11-23';
const read = (payload: unknown) => readIvms101(payload, TODAY);

/** The faults of a payload as `pointer code`. */
function faultsOf(payload: unknown): string[] {
  const reading = read(payload);
  if (reading.ok) throw new Error('The payload was read.');
  for (const { message } of reading.faults) expect(message).toMatch(/^[A-Z].*\.$/);
  return reading.faults.map(({ pointer, code }) => `${pointer} ${code}`);
}

function messageOf(payload: unknown): Ivms101Message {
  const reading = read(payload);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return reading.message;
}

const natural = (members: Record<string, unknown>) => ({
  originator: {
    originatorPersons: [
      {
        naturalPerson: {
          name: { nameIdentifier: [{ primaryIdentifier: 'Keller', nameIdentifierType: 'LEGL' }] },
          ...members,
        },
      },
    ],
  },
});
const PERSON = '/originator/originatorPersons/0/naturalPerson';
const originatorWith = (members: Record<string, unknown>) => messageOf(natural(members)).originator;

function partiesOf(message: Ivms101Message): Party[] {
  const { originator, additionalOriginators, beneficiary, additionalBeneficiaries } = message;
  const vasps = [message.originatingVasp, message.beneficiaryVasp];
  const parties = [originator, ...additionalOriginators, beneficiary, ...additionalBeneficiaries, ...vasps];
  return parties.filter((party) => party !== null);
}

describe('the payloads of the four writers', () => {
  test.each(readFixtures)('%s', (_, { payload, expected }) => {
    const reading = read(payload);
    expect(reading).toMatchObject(expected);
    // toMatchObject accepts further fields; a party must not have any.
    expect(reading.ok && reading.message).toEqual(expected.ok && expected.message);
    expect(reading.ok && reading.warnings.length).toBe(expected.ok && expected.warnings.length);
  });

  test.each(readFixtures)('%s makes parties that the API would accept', (_, { payload }) => {
    for (const party of partiesOf(messageOf(payload))) {
      expect(PartyInput.safeParse(party).error).toBeUndefined();
      expect(partyFaults('', party, TODAY)).toEqual([]);
    }
  });

  test('reading changes nothing in the payload', () => {
    const payload = payloadOf('trisa-2020.json');
    read(payload);
    expect(payload).toEqual(payloadOf('trisa-2020.json'));
  });
});

describe('the version', () => {
  const payload = natural({});

  test.each([
    [{}, '2020'],
    [{ payloadMetadata: { payloadVersion: '101' } }, '2020'],
    [{ payloadMetadata: { payloadVersion: 101 } }, '2020'],
    [{ payloadMetadata: { payloadVersion: '101.2023' } }, '2023'],
    [{ payloadMetadata: { payloadVersion: 101.2023 } }, '2023'],
    [{ payloadMetadata: { payload_version: 'V2023' } }, '2023'],
  ])('%j is %s', (members, version) => {
    expect(read({ ...payload, ...members })).toMatchObject({ ok: true, version });
  });

  test('is told from the names of members where the payload does not say it', () => {
    const beneficiary = { beneficiaryPerson: [{ legalPerson: { name: [{ legalPersonName: 'A' }] } }] };
    expect(read({ beneficiary })).toMatchObject({ ok: true, version: '2023' });
    expect(read({ ...payload, beneficiary })).toMatchObject({ ok: true, version: '2023' });
  });
});

describe('what is tolerated', () => {
  test.each<[string, Record<string, unknown>, Partial<Party>]>([
    ['null for absent', { customerIdentification: null, geographicAddress: null }, {}],
    ['empty texts and lists', { customerIdentification: ' ', geographicAddress: [], name: [] }, {}],
    ['an unknown country', { countryOfResidence: 'XX' }, {}],
    ['a country in lower case', { countryOfResidence: 'ch' }, { country: 'CH' }],
    ['white space', { customerIdentification: ' C  1\n' }, { customerIdentification: 'C 1' }],
    [
      'the passport code of other systems',
      { nationalIdentification: { nationalIdentifier: 'X1', nationalIdentifierType: 'PASSPORT' } },
      { nationalIdentificatorType: 'CCPT', nationalIdentificator: 'X1' },
    ],
    [
      'an identifier without type',
      { nationalIdentification: { nationalIdentifier: 'X1' } },
      { nationalIdentificator: 'X1' },
    ],
    [
      'a list of the one identifier',
      { nationalIdentification: [{ nationalIdentifier: 'X1', nationalIdentifierType: 'MISC' }] },
      { nationalIdentificatorType: 'MISC', nationalIdentificator: 'X1' },
    ],
    [
      'a birth date alone',
      { dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28' } },
      { dateOfBirth: '1990-02-28' },
    ],
    [
      'a place of birth that was not provided',
      { dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28', placeOfBirth: 'NOT PROVIDED' } },
      { dateOfBirth: '1990-02-28' },
    ],
  ])('%s', (_, members, party) => {
    const name = 'name' in members ? {} : { name: 'Keller' };
    expect(originatorWith(members)).toEqual({ type: 'NATURAL', ...name, ...party });
  });

  test('a country of an address that is not the country of the person stays with the address', () => {
    const address = { addressLine: ['1 Main Street'], townName: 'Pyongyang', country: 'KP' };
    expect(originatorWith({ geographicAddress: address, countryOfResidence: 'CH' })).toMatchObject({
      country: 'CH',
      address: '1 Main Street, KP',
      addressDetails: { town: 'Pyongyang' },
    });
    expect(originatorWith({ geographicAddress: address })).toMatchObject({
      country: 'KP',
      address: '1 Main Street',
    });
  });

  test('a part of an address that is longer than the standard allows goes into its text', () => {
    const address = {
      streetName: 'Seestrasse',
      buildingNumber: 'Hinterhaus zur Linde',
      floor: '2',
      townName: 'Zug',
    };
    expect(originatorWith({ geographicAddress: address })).toEqual({
      type: 'NATURAL',
      name: 'Keller',
      address: 'Hinterhaus zur Linde, 2',
      addressDetails: { street: 'Seestrasse', town: 'Zug' },
    });
  });

  test('the name of an organisation may be as long as that of a party', () => {
    const legalPerson = (length: number) => ({ name: [{ legalPersonName: 'a'.repeat(length) }] });
    const payload = (length: number) => ({
      beneficiary: { beneficiaryPersons: [{ legalPerson: legalPerson(length) }] },
    });
    expect(messageOf(payload(200)).beneficiary?.name).toBe('a'.repeat(200));
    expect(faultsOf(payload(201))).toEqual([
      '/beneficiary/beneficiaryPersons/0/legalPerson/name/0/legalPersonName too_long',
    ]);
  });

  test('an address that is longer than a party can have it is cut and named', () => {
    const address = {
      addressLine: Array.from({ length: 7 }, () => '𐐀'.repeat(35)),
      townName: 'A',
      country: 'CH',
    };
    const reading = read(natural({ geographicAddress: address }));
    expect(reading).toMatchObject({ ok: true, unread: [`${PERSON}/geographicAddress`] });
    const text = (reading.ok && reading.message.originator?.address) || '';
    expect(text.length).toBeGreaterThan(490);
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text).not.toMatch(/\p{Surrogate}/u);
  });

  test('an account number that is too long for a party gives way to the next one', () => {
    const accountNumber = ['a'.repeat(101), 'b'.repeat(100), 'c'];
    const payload = natural({});
    const reading = read({ originator: { ...payload.originator, accountNumber } });
    expect(reading).toMatchObject({
      ok: true,
      message: { originator: { accountNumber: 'b'.repeat(100) } },
      unread: ['/originator/accountNumber/0', '/originator/accountNumber/2'],
    });
  });

  test('two long names fill the fields of a party without its whole name', () => {
    const nameIdentifier = { primaryIdentifier: 'a'.repeat(100), secondaryIdentifier: 'b'.repeat(100) };
    expect(originatorWith({ name: { nameIdentifier } })).toEqual({
      type: 'NATURAL',
      firstName: 'b'.repeat(100),
      lastName: 'a'.repeat(100),
    });
  });
});

describe('names', () => {
  const name = (primaryIdentifier: string, nameIdentifierType?: string) => ({
    primaryIdentifier,
    nameIdentifierType,
  });

  test.each<[string, unknown, string | undefined, string[]]>([
    ['the legal one is chosen', [name('A', 'ALIA'), name('B', 'LEGL'), name('C', 'BIRT')], 'B', ['A', 'C']],
    ['without a legal one the first is', [name('A', 'ALIA'), name('B')], 'A', ['B']],
    ['placeholders are none', [name('NOT PROVIDED', 'LEGL'), name('B', 'MISC')], 'B', []],
    ['only a placeholder is no name', [name('not provided', 'LEGL')], undefined, []],
    ['the same name twice is told once', [name('A', 'LEGL'), name('A', 'ALIA')], 'A', []],
  ])('%s', (_, nameIdentifier, chosen, names) => {
    const reading = read(natural({ name: { nameIdentifier } }));
    expect(reading.ok && reading.message.originator?.name).toBe(chosen);
    expect(reading.ok && (reading.message.originator?.aliases ?? [])).toEqual(names);
  });

  test('the original replaces its mere spelling in Latin letters, not a name that the sender chose', () => {
    const originalOf = (latin: string) =>
      originatorWith({
        name: { nameIdentifier: name(latin, 'LEGL'), localNameIdentifier: name('Шевченко', 'LEGL') },
      });
    expect(originalOf('Shevchenko')?.name).toBe('Шевченко');
    expect(originalOf('Szewczenko')?.name).toBe('Szewczenko');
  });

  test('one that sounds or is written otherwise is another name, its mere spelling is none', () => {
    const given = { nameIdentifier: [name('Shevchenko', 'LEGL'), name('Zhukov', 'ALIA')] };
    const localNameIdentifier = [name('Шевченко', 'LEGL'), name('Жуков', 'ALIA'), name('Иванов', 'BIRT')];
    const phoneticNameIdentifier = [name('Schewtschenko', 'LEGL')];
    expect(originatorWith({ name: { ...given, localNameIdentifier, phoneticNameIdentifier } })).toMatchObject(
      {
        name: 'Шевченко',
        aliases: ['Жуков', 'Иванов', 'Schewtschenko'],
      },
    );
  });

  test('of an organisation only in its own letters', () => {
    const legalPerson = { name: { localNameIdentifier: [{ legalPersonName: '株式会社' }] } };
    expect(messageOf({ beneficiary: { beneficiaryPersons: { legalPerson } } }).beneficiary).toEqual({
      type: 'LEGAL',
      name: '株式会社',
    });
  });
});

describe('what is refused', () => {
  test.each<[string, unknown, string[]]>([
    ['no object', null, [' invalid_type']],
    ['a list', [natural({})], [' invalid_type']],
    ['a text', '{}', [' invalid_type']],
    ['nobody', {}, [' required']],
    ['nobody but a VASP', { originatingVASP: { legalPerson: {} } }, [' required']],
    ['a side without persons', { originator: {} }, ['/originator required']],
    ['a list of nobody', { originator: { originatorPersons: [null, ' '] } }, ['/originator required']],
    ['an account of nobody', { originator: { accountNumber: ['1'] } }, ['/originator required']],
    ['a side that is a text', { originator: 'Anna' }, ['/originator invalid_type']],
    [
      'persons that are a text',
      { originator: { originatorPersons: 'Anna' } },
      ['/originator/originatorPersons invalid_type'],
    ],
    [
      'a person that is a list',
      { originator: { originatorPersons: [[{}]] } },
      ['/originator/originatorPersons/0 invalid_type'],
    ],
    [
      'a person that is neither natural nor legal',
      { beneficiary: { beneficiaryPerson: [{ person: {} }] } },
      ['/beneficiary/beneficiaryPerson/0 required'],
    ],
    [
      'a person that is both',
      { beneficiary: { beneficiaryPerson: { naturalPerson: {}, legalPerson: {} } } },
      ['/beneficiary/beneficiaryPerson given_twice'],
    ],
    [
      'persons under two names',
      { beneficiary: { beneficiaryPerson: [], beneficiaryPersons: [{}], beneficiary_persons: [{}] } },
      ['/beneficiary/beneficiaryPersons given_twice', '/beneficiary/beneficiaryPersons/0 required'],
    ],
    [
      'a seventh beneficiary',
      { beneficiary: { beneficiaryPersons: Array.from({ length: 7 }, () => ({ naturalPerson: {} })) } },
      ['/beneficiary/beneficiaryPersons too_many'],
    ],
    [
      'a seventh originator',
      { originator: { originatorPersons: Array.from({ length: 7 }, () => ({ naturalPerson: {} })) } },
      ['/originator/originatorPersons too_many'],
    ],
    [
      'an unknown version',
      { ...natural({}), payloadMetadata: { payloadVersion: '101.2031' } },
      ['/payloadMetadata/payloadVersion invalid_value'],
    ],
    [
      'an unknown script',
      { ...natural({}), payloadMetadata: { transliterationMethod: ['runr'] } },
      ['/payloadMetadata/transliterationMethod/0 invalid_value'],
    ],
  ])('%s', (_, payload, faults) => {
    expect(faultsOf(payload)).toEqual(faults);
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      'an unknown type of name',
      { name: [{ primaryIdentifier: 'A', nameIdentifierType: 'NICK' }] },
      '/name/0/nameIdentifierType invalid_value',
    ],
    [
      'a name that is an object',
      { name: [{ primaryIdentifier: {} }] },
      '/name/0/primaryIdentifier invalid_type',
    ],
    ['a name that is a text', { name: 'Anna Keller' }, '/name invalid_type'],
    [
      'a name that is true',
      { name: [{ primaryIdentifier: true }] },
      '/name/0/primaryIdentifier invalid_type',
    ],
    ['a long name', { name: [{ primaryIdentifier: 'a'.repeat(101) }] }, '/name/0/primaryIdentifier too_long'],
    [
      'NUL in a name',
      { name: [{ primaryIdentifier: 'a\0b' }] },
      '/name/0/primaryIdentifier invalid_characters',
    ],
    [
      'half a surrogate pair',
      { name: [{ primaryIdentifier: 'a\ud800' }] },
      '/name/0/primaryIdentifier invalid_characters',
    ],
    [
      'too many names',
      { name: Array.from({ length: 51 }, () => ({ primaryIdentifier: 'A' })) },
      '/name too_many',
    ],
    [
      'an unknown type of address',
      { geographicAddress: [{ addressType: 'SHIP' }] },
      '/geographicAddress/0/addressType invalid_value',
    ],
    [
      'an unknown country',
      { geographicAddress: { country: 'ZZ' } },
      '/geographicAddress/country country_unknown',
    ],
    ['a country that is a number', { countryOfResidence: {} }, '/countryOfResidence invalid_type'],
    [
      'too many lines',
      { geographicAddress: [{ addressLine: Array.from({ length: 21 }, () => 'a') }] },
      '/geographicAddress/0/addressLine too_many',
    ],
    [
      'a long line',
      { geographicAddress: [{ addressLine: ['a', 'a'.repeat(201)] }] },
      '/geographicAddress/0/addressLine/1 too_long',
    ],
    [
      'an unknown type of identifier',
      { nationalIdentification: { nationalIdentifierType: 'VISA' } },
      '/nationalIdentification/nationalIdentifierType invalid_value',
    ],
    [
      'a type that every object has',
      { nationalIdentification: { nationalIdentifierType: 'constructor' } },
      '/nationalIdentification/nationalIdentifierType invalid_value',
    ],
    ['two identifiers', { nationalIdentification: [{}, {}] }, '/nationalIdentification too_many'],
    ['a number with an exponent', { customerIdentification: 1e30 }, '/customerIdentification invalid_type'],
    [
      'two different customer numbers',
      { customerIdentification: '1', customerNumber: '2' },
      '/customerIdentification given_twice',
    ],
    [
      'a birth date in the future',
      { dateAndPlaceOfBirth: { dateOfBirth: '2026-11-24' } },
      '/dateAndPlaceOfBirth/dateOfBirth date_in_future',
    ],
    [
      'a birth date that does not exist',
      { dateAndPlaceOfBirth: { dateOfBirth: '1990-02-30' } },
      '/dateAndPlaceOfBirth/dateOfBirth invalid_format',
    ],
    [
      'a birth date of another form',
      { dateAndPlaceOfBirth: { dateOfBirth: '28.02.1990' } },
      '/dateAndPlaceOfBirth/dateOfBirth invalid_format',
    ],
  ])('%s', (_, members, fault) => {
    expect(faultsOf(natural(members))).toEqual([`${PERSON}${fault}`]);
  });

  test('no fault repeats what the payload says', () => {
    const reading = read(
      natural({ customerIdentification: 'S3CRET'.repeat(20), countryOfResidence: 'S3CRET' }),
    );
    expect(JSON.stringify(reading)).not.toContain('S3CRET');
  });
});

describe('hostile payloads', () => {
  test('depth does not matter, whether a member is known or not', () => {
    const depth = 100_000;
    const deep = JSON.parse(`${'{"name":'.repeat(depth)}1${'}'.repeat(depth)}`) as unknown;
    const deepList = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
    expect(read({ ...natural({}), unknown: deep, other: deepList })).toMatchObject({
      ok: true,
      unread: ['/unknown', '/other'],
    });
    expect(faultsOf(natural({ name: deepList }))).toEqual([`${PERSON}/name/0 invalid_type`]);
    const legalPerson = { name: [{ legalPersonName: deep }] };
    expect(faultsOf({ beneficiary: { beneficiaryPersons: { legalPerson } } })).toEqual([
      '/beneficiary/beneficiaryPersons/legalPerson/name/0/legalPersonName invalid_type',
    ]);
  });

  test('names that every object has are no members of a payload', () => {
    const payload = JSON.parse(
      '{"__proto__": {"originator": {}}, "constructor": 1, "toString": 2}',
    ) as unknown;
    expect(faultsOf(payload)).toEqual([' required']);
    expect(({} as Record<string, unknown>)['originator']).toBeUndefined();
  });

  test('objects and lists without end are refused unread', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m${index}`, index]));
    expect(faultsOf({ ...many, ...natural({}) })).toEqual([' too_many', ' required']);
    expect(faultsOf(natural(many))).toEqual([`${PERSON} too_many`]);
    expect(faultsOf({ originator: { originatorPersons: Array.from({ length: 1_000_000 }) } })).toEqual([
      '/originator/originatorPersons too_many',
    ]);
  });

  test('at most a hundred faults and a hundred unknown members are reported', () => {
    const name = Array.from({ length: 50 }, () => ({
      primaryIdentifier: {},
      secondaryIdentifier: {},
      x: 1,
      y: 2,
      z: 3,
    }));
    expect(faultsOf(natural({ name })).length).toBe(100);
    const fine = name.map((each) => ({ ...each, primaryIdentifier: 'A', secondaryIdentifier: null }));
    const reading = read(natural({ name: fine }));
    expect(reading.ok && reading.unread.length).toBe(100);
  });

  test('anything is read or refused with faults, and what is read fits into parties', () => {
    const names = fc.constantFrom(
      ...'originator beneficiary originatingVASP beneficiaryVASP originatorPersons beneficiaryPerson'.split(
        ' ',
      ),
      ...'naturalPerson legalPerson name nameIdentifier localNameIdentifier primaryIdentifier'.split(' '),
      ...'secondaryIdentifier legalPersonName nameIdentifierType geographicAddress townName country'.split(
        ' ',
      ),
      ...'addressLine nationalIdentification nationalIdentifier nationalIdentifierType transferPath'.split(
        ' ',
      ),
      ...'sequence payloadMetadata payloadVersion accountNumber dateAndPlaceOfBirth dateOfBirth'.split(' '),
    );
    const leaves = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('LEGL', 'LEIX', 'CH', '1990-01-01', 'NOT PROVIDED', '101'),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
    );
    const { payload } = fc.letrec<{ payload: unknown }>((tie) => ({
      payload: fc.oneof(
        { maxDepth: 9, withCrossShrink: true },
        leaves,
        fc.array(tie('payload'), { maxLength: 3 }),
        fc.dictionary(names, tie('payload'), { maxKeys: 5 }),
        fc.dictionary(names, tie('payload'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(payload, (given) => {
        const reading = read(given);
        if (reading.ok) {
          for (const party of partiesOf(reading.message))
            expect(PartyInput.safeParse(party).success).toBe(true);
        } else {
          expect(reading.faults.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: IS_FULL ? 5_000 : 300 },
    );
  });

  test('a good payload with one wrong value anywhere is refused or read, and never throws', () => {
    const values: unknown[] = [
      null,
      true,
      7,
      Infinity,
      '',
      '\0',
      '\ud800',
      'x'.repeat(1_000),
      [],
      [[]],
      {},
      [{}],
      [null],
    ];
    let refused = 0;
    for (const [, { payload }] of readFixtures) {
      const changed = structuredClone(payload);
      for (const path of pathsOf(payload)) {
        const holder = path.slice(0, -1).reduce((at, name) => at[name] as Members, changed as Members);
        const name = path.at(-1) ?? '';
        const original = holder[name];
        for (const value of values) {
          holder[name] = value;
          const reading = read(changed);
          if (reading.ok) continue;
          refused += 1;
          expect(reading.faults.filter(({ pointer }) => !isIn(changed, pointer))).toEqual([]);
        }
        holder[name] = original;
      }
    }
    expect(refused).toBeGreaterThan(1_000);
  });
});

type Members = Record<string, unknown>;

/** The paths to all members and entries of a value. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]));
  return path.length === 0 ? inner : [path, ...inner];
}

/** Whether a JSON Pointer leads to something. */
function isIn(root: unknown, pointer: string): boolean {
  let at = root;
  for (const name of pointer.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Record<string, unknown>)[name];
  }
  return true;
}
