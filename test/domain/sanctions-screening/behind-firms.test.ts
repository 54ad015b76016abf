import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import { queryOf } from '../../../domain/sanctions-screening/subject.ts';
import { listEntry } from '../../factories/sanctions.ts';
import { leastCpuMs } from '../../least-cpu-ms.ts';

const firm = (id: string, name: string) => listEntry(id, name, { type: 'organisation' });
const index = buildIndex([
  firm('1', 'RAVENSCROFT LIMITED'),
  firm('2', 'BARNABAS TRADING BANK'),
  firm('3', 'MILLBROOK OIL PIPES AND MINERALS COMPANY'),
  firm('4', 'SOCIEDAD RAVENWOOD LTDA.'),
  firm('6', 'Quarrystone Europe OU'),
  firm('7', 'Quarrystone Larkspur OU'),
  listEntry('5', 'OAKHURST SPIRIT', { type: 'vessel' }),
]);
const found = (name: string) =>
  search(index, queryOf({ name }), { threshold: 0.88 }).map(({ entry }) => entry.sourceId);

test.each([
  ['1', 'Ravenscroft Limited and Anna Keller'],
  ['1', 'Ravenscroft Limited & Anna Keller'],
  ['1', 'Ravenscroft Limited or Anna Keller'],
  ['3', 'Millbrook Oil Pipes and Minerals Company and Anna Keller'],
  ['3', 'Anna Keller and Millbrook Oil Pipes and Minerals Company'],
])('a listed firm %s beside a person is found: %s', (id, name) => {
  expect(found(name)).toContain(id);
});

test.each([
  'Dubai UAE',
  'Moscow',
  'DPRK',
  'ACC 40702810900000001234',
  'wallet USDT',
  'INN 7707083893',
  'ИНН 7707083893',
  'reg. no. 123456',
  'invoice 123',
  'INV 2024-113',
  'PO Box 1234 Dubai',
  'P.O. Box 1234, Dubai',
  'Head Office',
  'tel. +49 170 1234567',
  'INN 7707083893 Moscow Russia',
])('what stands behind the name of a listed firm hides it not: %s', (behind) => {
  expect(found(`Ravenscroft Limited ${behind}`)).toContain('1');
  expect(found(`Barnabas Trading Bank ${behind}`)).toContain('2');
  expect(found(`Sociedad Ravenwood Ltda. ${behind}`)).toContain('4');
});

test.each(['Messrs.', 'Firma', 'Company', 'Société', 'Payment to', 'TRF FROM', 'Фирма'])(
  'what stands before the name of a listed firm hides it not: %s',
  (before) => {
    expect(found(`${before} Ravenscroft Limited`)).toContain('1');
    expect(found(`${before} Barnabas Trading Bank invoice 123`)).toContain('2');
  },
);

test.each(
  [
    'S.L.,S.L.U.,S.à r.l.,Sp. z o. o.,SE,a.s.,A.Ş.,ASA,K.K.,S.A.L.,S.A.E.,K.S.C.,Tbk,TNHH,CTCP,ME,SASU,SCRL,Cie,e.U.'.split(
      ',',
    ),
    'Establishment,S/A,בע״מ,EPP,Hnos.,ULC'.split(','),
  ].flat(),
)('a legal form that is also a word hides a listed firm of two words not: %s', (form) => {
  expect(found(`Quarrystone Europe ${form}`)).toContain('6');
  expect(found(`Quarrystone Europe, ${form}`)).toContain('6');
});

test.each(['PT', 'PT.', 'Công ty TNHH', 'CTCP'])('nor does one in front of it: %s', (form) => {
  expect(found(`${form} Quarrystone Europe`)).toContain('6');
  expect(found(`${form} Quarrystone Europe Tbk`)).toContain('6');
});

test('the lines of a payment are taken apart', () => {
  expect(found('1/Barnabas Trading Bank 2/12 HIGH STREET 3/AE/DUBAI')).toContain('2');
});

test.each([
  'Ravenscroft Limited & Co. KG',
  'Ravenscroft Limited & Sons',
  'Barnabas of Moscow',
  'Ravenscroft Moscow',
  'Barnabas Trading of Moscow',
  'Oakhurst Spirit Moscow',
  'Quarrystone SE',
  'Quarrystone Africa S.L.',
])('the name of another firm is not taken for it: %s', (name) => {
  expect(found(name)).toEqual([]);
});

test.each(['Moscow ', 'INN no ', 'Head ', 'Firma ', '1/', 'Huber AG and ', 'acc 1'])(
  'a long text of what stands around firms is read at once: %s…',
  async (part) => {
    const name = part.repeat(Math.floor(1_000 / part.length));
    expect(await leastCpuMs(() => search(index, queryOf({ name })), 60)).toBeLessThan(60);
  },
);

test.each(['Cyprus Ltd', 'Dubai LLC', 'Hong Kong Limited', 'UK Ltd', 'Singapore Pte. Ltd.'])(
  'a place before the legal form hides a listed firm not: %s',
  (behind) => {
    expect(found(`Quarrystone Larkspur ${behind}`)).toContain('7');
    expect(found(`Barnabas Trading Bank ${behind}`)).toContain('2');
  },
);

test.each([
  'Hot Wallet',
  'cold wallets',
  'USD',
  'EUR account',
  'USDT Wallet',
  'BTC',
  'Trading Account',
  'UID 4312234',
])('an account, its kind and its currency hide a listed firm not: %s', (behind) => {
  expect(found(`Quarrystone Larkspur ${behind}`)).toContain('7');
  expect(found(`Barnabas Trading Bank ${behind}`)).toContain('2');
});

test('a firm that is called after a place is another one', () => {
  expect(found('Quarrystone Bank of Cyprus Ltd')).toEqual([]);
});
