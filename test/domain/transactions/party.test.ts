import {
  PartyInput,
  PartyPatch,
  PartyView,
  partyFaults,
  patchParty,
  setPartyFields,
  viewParty,
  type Party,
} from '../../../domain/parties/party.ts';

const LEI = '506700GE1G29325QX363';
const party: Party = { type: 'NATURAL', name: 'Ada Lovelace', country: 'GB' };

test('a country is looked up by at most 100 characters', () => {
  expect(PartyInput.safeParse({ country: 'Bosnia and Herzegovina' }).success).toBe(true);
  const issues = PartyInput.safeParse({ country: 'x'.repeat(101) }).error?.issues;
  expect(issues).toMatchObject([{ code: 'too_big', path: ['country'] }]);
});

describe('a changed party', () => {
  test.each<[Party | null, PartyPatch | null, Party | null]>([
    [party, {}, party],
    [party, { name: 'Ada King' }, { ...party, name: 'Ada King' }],
    [party, { placeOfBirth: 'London' }, { ...party, placeOfBirth: 'London' }],
    [party, { country: null }, { type: 'NATURAL', name: 'Ada Lovelace' }],
    [party, { firstName: null }, party],
    [party, { type: null, name: null, country: null }, null],
    [party, null, null],
    [null, null, null],
    [null, {}, null],
    [null, { name: null }, null],
    [null, { name: 'Ada' }, { name: 'Ada' }],
    [
      { addressDetails: { street: 'Old Street', town: 'London' } },
      { addressDetails: { town: 'Bath' } },
      { addressDetails: { street: 'Old Street', town: 'Bath' } },
    ],
    [
      { name: 'Ada', addressDetails: { street: 'Old Street', town: 'London' } },
      { addressDetails: { street: null, postCode: 'N1' } },
      { name: 'Ada', addressDetails: { town: 'London', postCode: 'N1' } },
    ],
    [
      { name: 'Ada', addressDetails: { town: 'London' } },
      { addressDetails: { town: null } },
      { name: 'Ada' },
    ],
    [{ addressDetails: { town: 'London' } }, { addressDetails: null }, null],
    [{ addressDetails: { town: 'London' } }, { addressDetails: {} }, { addressDetails: { town: 'London' } }],
    [null, { addressDetails: {} }, null],
  ])('%j with %j is %j', (before, patch, after) => {
    expect(patchParty(before, patch)).toEqual(after);
  });

  test('leaves the stored one as it was', () => {
    const stored = { ...party };
    patchParty(stored, { name: 'Other' });
    expect(stored).toEqual(party);
  });
});

test('an address without any field is none', () => {
  expect(PartyInput.parse({ name: 'Ada', addressDetails: {} }).addressDetails).toBeUndefined();
  expect(PartyPatch.parse({ addressDetails: { street: null } })).toEqual({
    addressDetails: { street: null },
  });
});

test('data of another VASP set the whole address', () => {
  const stored = { name: 'Ada', addressDetails: { street: 'Old Street', town: 'London' } };
  const sent = { addressDetails: { town: 'Bath' } };
  expect(setPartyFields(stored, sent)).toEqual({ name: 'Ada', ...sent });
});

describe('the shown party', () => {
  test('has every field, null where there is nothing', () => {
    const shown = viewParty({ ...party, addressDetails: { town: 'London' } });
    expect(PartyView.parse(shown)).toEqual(shown);
    expect(Object.keys(shown ?? {}).sort()).toEqual(Object.keys(PartyInput.shape).sort());
    expect(shown).toMatchObject({ name: 'Ada Lovelace', country: 'GB', lei: null, dateOfBirth: null });
    expect(shown?.addressDetails).toEqual({
      street: null,
      buildingNumber: null,
      postCode: null,
      town: 'London',
      countrySubDivision: null,
    });
  });

  test('of nobody is null', () => {
    expect(viewParty(null)).toBeNull();
  });
});

describe('a party at fault', () => {
  test.each<[string, Party | null, string[]]>([
    ['nobody', null, []],
    ['a LEI', { nationalIdentificatorType: 'LEIX', nationalIdentificator: LEI }, []],
    [
      'a wrong LEI',
      { nationalIdentificatorType: 'LEIX', nationalIdentificator: `${LEI.slice(0, -1)}4` },
      ['lei_invalid'],
    ],
    ['no LEI yet', { nationalIdentificatorType: 'LEIX' }, []],
    ['another number', { nationalIdentificatorType: 'CCPT', nationalIdentificator: 'X123' }, []],
    ['a number alone', { nationalIdentificator: 'X123' }, []],
    ['born today', { dateOfBirth: '2026-11-21' }, []],
    ['born tomorrow', { dateOfBirth: '2026-11-22' }, ['date_in_future']],
    ['born in 1815', { dateOfBirth: '1815-12-10' }, []],
    [
      'both',
      { dateOfBirth: '2031-01-01', nationalIdentificatorType: 'LEIX', nationalIdentificator: 'X' },
      ['lei_invalid', 'date_in_future'],
    ],
  ])('%s', (_, given, codes) => {
    const faults = partyFaults('/beneficiary', given, '2026-11-21');
    expect(faults.map(({ code }) => code)).toEqual(codes);
    for (const { pointer } of faults) {
      expect(pointer).toMatch(/^\/beneficiary\/(nationalIdentificator|dateOfBirth)$/);
    }
  });
});
