import type { Party } from '../../../../domain/parties/party.ts';
import { withBeneficiarySaid } from '../../../../domain/transactions/exchanging/beneficiary-said.ts';
import { viewTransaction } from '../../../../domain/transactions/viewing/view-transaction.ts';
import { clearanceOf } from '../../../../domain/transactions/clearance.ts';
import { subjectsOf } from '../../../../domain/transactions/deciding/screened-subjects.ts';
import { restartRouting } from '../../../../domain/transactions/lifecycle/restart-routing.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';

const sent = (beneficiary: Party | null, overrides: { status?: 'DELIVERED' | 'CONFIRMED' } = {}) =>
  transactionRecord({ status: 'DELIVERED', pairId: 'pair', personal: { beneficiary }, ...overrides });

const said = (own: Party | null, given: Party) => {
  const change = withBeneficiarySaid(sent(own), given, NOW);
  if (!change) throw new Error('nothing is said');
  const { after, events } = change;
  const types = events.map(({ type }) => type);
  const { received, beneficiary } = viewTransaction(after, 'own');
  return { after, types, hold: after.hold, differences: received?.differences, beneficiary };
};

const JONAS: Party = { type: 'NATURAL', name: 'Jonas Brandt' };

describe('what a beneficiary VASP says of the beneficiary', () => {
  test('fills what the record lacks, and is screened', () => {
    const { after, types, hold, differences, beneficiary } = said(JONAS, {
      firstName: 'Jonas',
      lastName: 'Brandt',
      country: 'SG',
    });
    expect(beneficiary).toMatchObject({ name: 'Jonas Brandt', lastName: 'Brandt', country: 'SG' });
    expect([types, hold, differences]).toEqual([['DATA_UPDATED'], null, []]);
    expect(after.screeningState).toBe('DUE');
  });

  const somebodyElse: [string, Party, Party, string][] = [
    ['another name', JONAS, { name: 'Nicolas Maduro' }, '/beneficiary/name'],
    ['in other fields', JONAS, { firstName: 'Nicolas', lastName: 'Maduro' }, '/beneficiary/name'],
    ['a last name alone', JONAS, { lastName: 'Nicolas Maduro' }, '/beneficiary/name'],
    ['beside the right one', JONAS, { ...JONAS, firstName: 'Nico', lastName: 'Maduro' }, '/beneficiary/name'],
    ['of a name in parts', { lastName: 'Brandt', firstName: 'J' }, { name: 'X Y' }, '/beneficiary/lastName'],
    [
      'a date of birth',
      { ...JONAS, dateOfBirth: '1980-01-01' },
      { dateOfBirth: '1981-01-01' },
      '/beneficiary/dateOfBirth',
    ],
    ['an account', { ...JONAS, accountNumber: '1' }, { accountNumber: '2' }, '/beneficiary/accountNumber'],
  ];
  test.each(somebodyElse)('of somebody else holds the record: %s', (_, own, given, pointer) => {
    const { after, types, hold, differences, beneficiary } = said(own, { ...given, placeOfBirth: 'Ulm' });
    expect([types, hold]).toEqual([['BENEFICIARY_DIFFERS', 'HELD'], 'COUNTERPARTY']);
    expect(differences).toContain(pointer);
    expect(beneficiary).toMatchObject({ ...own, placeOfBirth: null });
    expect(after.screeningState).toBe('DUE');
    expect(clearanceOf({ ...after, status: 'CONFIRMED' }).outcome).toBe('WAIT');
  });

  test('holds the record though it was said before, where the tenant has named somebody else since', () => {
    const confirmed = said(JONAS, { ...JONAS, placeOfBirth: 'Ulm' }).after;
    expect(confirmed.hold).toBeNull();
    const renamed = { ...confirmed, personal: { ...confirmed.personal, beneficiary: { name: 'Eva Other' } } };
    const again = withBeneficiarySaid(renamed, JONAS, NOW);
    expect(again?.after.hold).toBe('COUNTERPARTY');
    expect(again?.events.map(({ type }) => type)).toEqual(['BENEFICIARY_DIFFERS', 'HELD']);
    const reviews = [{ decision: 'PROCEED', reason: 'Known.', at: NOW.toISOString() }] as never;
    const passed = { ...again!.after, hold: null, personal: { ...again!.after.personal, reviews } };
    expect(withBeneficiarySaid(passed, JONAS, NOW)).toBeNull();
  });

  test('fills from the same name in another order, which is told', () => {
    const { beneficiary, hold, types, differences } = said(JONAS, { name: 'Brandt, Jonas', country: 'SG' });
    expect(beneficiary).toMatchObject({ name: 'Jonas Brandt', country: 'SG' });
    expect([hold, types, differences]).toEqual([
      null,
      ['DATA_UPDATED', 'BENEFICIARY_DIFFERS'],
      ['/beneficiary/name'],
    ]);
  });

  test('is compared with the lists beside the own data; who is not named is the one that the tenant names', () => {
    const compared = (given: Party) => {
      const subjects = subjectsOf(said(JONAS, given).after);
      return subjects.flatMap((subject) => (subject.role === 'received/beneficiary' ? [subject] : []));
    };
    expect(compared({ lastName: 'Nicolas Maduro' })).toMatchObject([{ body: { name: 'Nicolas Maduro' } }]);
    expect(compared({ name: 'X Y', dateOfBirth: '1962-11-23' })).toMatchObject([
      { body: { name: 'X Y', dateOfBirth: '1962-11-23' } },
    ]);
    const { after } = said({ ...JONAS, dateOfBirth: '1980-01-01' }, { dateOfBirth: '1962-11-23' });
    expect(subjectsOf(after)).toContainEqual(
      expect.objectContaining({
        role: 'received/beneficiary',
        body: { name: 'Jonas Brandt', dateOfBirth: '1962-11-23' },
      }),
    );
    const wallet = '0x00000000000000000000000000000000005a4c71';
    expect(compared({ accountNumber: wallet })).toEqual([]);
    expect(subjectsOf(said(JONAS, { accountNumber: wallet }).after)).toContainEqual(
      expect.objectContaining({ role: 'beneficiary', address: wallet }),
    );
  });

  test.each([
    ['in another order', { name: 'Brandt, Jonas' }],
    ['in capitals', { name: 'JONAS BRANDT', country: 'SG' }],
    ['in part', { lastName: 'Brandt' }],
    ['where somebody else lives', { country: 'SG' }],
  ] as const)('of one name holds nothing: %s', (_, given) => {
    expect(said({ ...JONAS, country: 'DE' }, given).hold).toBeNull();
  });

  test('counts once, as a whole, and holds again only for something new', () => {
    const { after } = said(JONAS, { name: 'Nicolas Maduro' });
    expect(withBeneficiarySaid(after, { name: 'Nicolas Maduro' }, NOW)).toBeNull();
    const reviews = [{ decision: 'PROCEED', reason: 'Known.', at: NOW.toISOString() }] as never;
    const passed = { ...after, hold: null, personal: { ...after.personal, reviews } };
    expect(withBeneficiarySaid(passed, { name: 'Nicolas Maduro' }, NOW)).toBeNull();
    expect(withBeneficiarySaid(passed, { country: 'VE' }, NOW)?.after.hold).toBe('COUNTERPARTY');
    const corrected = withBeneficiarySaid(after, { name: 'Jonas Brandt', country: 'SG' }, NOW)?.after;
    // A hold stays until a review, whatever is corrected.
    expect(corrected).toMatchObject({ hold: 'COUNTERPARTY', personal: { beneficiary: { country: 'SG' } } });
  });

  test('replaces what it has filled before, and never what the tenant has given', () => {
    const first = said({ ...JONAS, placeOfBirth: 'Ulm' }, { country: 'SG' }).after;
    const second = withBeneficiarySaid(first, { country: 'MY', placeOfBirth: 'Ulm' }, NOW)?.after;
    expect(second).toMatchObject({
      hold: null,
      personal: { beneficiary: { ...JONAS, placeOfBirth: 'Ulm', country: 'MY' } },
    });
  });

  test('changes nothing of a decided record, and does not count for another VASP', () => {
    expect(withBeneficiarySaid(sent(JONAS, { status: 'CONFIRMED' }), { country: 'SG' }, NOW)).toBeNull();
    const { after } = said(JONAS, { name: 'Nicolas Maduro' });
    expect(restartRouting({ ...after, status: 'FAILED' }, NOW).personal.received).toBeUndefined();
  });
});
