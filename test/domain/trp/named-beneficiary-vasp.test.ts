import { saidOfBeneficiaryVasp } from '../../../domain/trp/named-beneficiary-vasp.ts';

const asked = { names: ['Harbour Exchange', 'Harbour Custody Pte. Ltd.'], lei: null };

test('nothing is kept of a VASP that is the tenant in another spelling', () => {
  for (const name of ['HARBOUR EXCHANGE', 'Harbour Exchange AG', 'Exchange Harbour', 'Harbour Custody'])
    expect(saidOfBeneficiaryVasp({ name }, asked)).toEqual({});
  expect(saidOfBeneficiaryVasp(null, asked)).toEqual({});
});

test('what is said more of the tenant is kept to be compared with lists', () => {
  const name = 'Harbour Exchange';
  for (const more of [
    { aliases: ['Gold House'] },
    { accountNumber: '0x52908400098527886E0F7030069857D2E4169EE7' },
    { nationalIdentificator: 'X1' },
    { lei: '5493001KJTIIGC8Y1R12' },
  ])
    expect(saidOfBeneficiaryVasp({ name, ...more }, asked)).toEqual({ beneficiaryVasp: { name, ...more } });
});

test('another VASP is told apart by its LEI, else by its names', () => {
  const lei = '5493001KJTIIGC8Y1R12';
  const isOther = (said: object, known: string | null = null) =>
    saidOfBeneficiaryVasp(said, { ...asked, lei: known }).namesOtherVasp ?? false;
  expect(isOther({ name: 'Zanzibar Savings' })).toBe(true);
  expect(isOther({ name: 'Zanzibar Savings', aliases: ['Harbour Exchange'] })).toBe(false);
  expect(isOther({ firstName: 'Anna', lastName: 'Keller' })).toBe(true);
  expect(isOther({ name: 'Zanzibar Savings', lei }, lei)).toBe(false);
  expect(isOther({ name: 'Harbour Exchange', lei }, '529900T8BM49AURSDO55')).toBe(true);
  expect(isOther({ lei })).toBe(false);
});
