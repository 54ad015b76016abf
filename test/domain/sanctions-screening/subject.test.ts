import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import type { SanctionsSearchBody } from '../../../domain/sanctions-screening/schema.ts';
import {
  identityText,
  isNamed,
  isReadWhole,
  isScreenable,
  queryOf,
  requireScreenable,
  screenedName,
} from '../../../domain/sanctions-screening/subject.ts';
import { listEntry } from '../../factories/sanctions.ts';
import {
  listedCompany,
  listedPerson,
  waysToNameCompany,
  waysToNamePerson,
} from '../../factories/ways-to-name.ts';

const index = buildIndex([listedPerson, listedCompany]);
const matchesOf = (body: SanctionsSearchBody) =>
  search(index, queryOf(body), { threshold: 0.88 }).map(({ entry }) => entry.sourceId);

test.each(waysToNamePerson)('a listed person is found however the name is given: %s', (_, fields) => {
  expect(isScreenable(fields)).toBe(true);
  expect(matchesOf({ ...fields, type: 'NATURAL' })).toEqual(['P1']);
});

test.each(waysToNameCompany)('a listed company is found however the name is given: %s', (_, fields) => {
  expect(matchesOf({ ...fields, type: 'LEGAL' })).toEqual(['C1']);
});

test('a whole listed name in one field is found beside a long other one', () => {
  const listed = buildIndex([listEntry('1', 'Nicolas Maduro Moros')]);
  const foundIn = (body: SanctionsSearchBody) =>
    search(listed, queryOf(body), { threshold: 0.88 }).map(({ entry }) => entry.sourceId);
  expect(foundIn({ firstName: 'Nicolas Maduro Moros', lastName: 'Keller Huber' })).toEqual(['1']);
  expect(foundIn({ firstName: 'Anna Maria', lastName: 'Moros Nicolas Maduro' })).toEqual(['1']);
  expect(foundIn({ firstName: 'Anna Maria Moros', lastName: 'Keller Huber' })).toEqual([]);
  expect(foundIn({ firstName: 'Carlos Maduro Moros', lastName: 'Keller Huber' })).toEqual([]);
});

test('names of symbols are left out while any other can be compared', () => {
  const body = { name: '-', firstName: 'Anna', lastName: 'Keller' };
  expect(queryOf(body).names).toEqual(['Keller Anna', 'Anna Keller']);
  expect(screenedName(body)).toBe('Anna Keller');
  expect(() => requireScreenable(body, '2026-11-22')).not.toThrow();
  for (const none of [{ name: '-' }, { name: '-', lastName: '?' }]) {
    expect(isScreenable(none)).toBe(false);
    expect(() => requireScreenable(none, '2026-11-22')).toThrow();
  }
});

test('a lone name that the whole name contains is not compared by itself: half the world is called Kim', () => {
  expect(queryOf({ name: 'Anna Kim', lastName: 'KIM' }).names).toEqual(['Anna Kim']);
  expect(queryOf({ name: 'Anna', lastName: 'Kim' }).names).toEqual(['Kim Anna', 'Anna Kim', 'Anna', 'Kim']);
});

test('of three names any two are put together in both orders, and all', () => {
  const { names } = queryOf({ name: 'Anna', firstName: 'Eva', lastName: 'Keller' });
  const pairs = ['Keller Eva', 'Eva Keller', 'Eva Anna', 'Anna Eva', 'Keller Anna', 'Anna Keller'];
  expect(names).toEqual(expect.arrayContaining([...pairs, 'Eva Keller Anna', 'Anna Eva Keller', 'Anna']));
});

test('placeholders are left out of every combination, and compared where nothing else is given', () => {
  const beside = { name: 'Keller', firstName: 'Anna', lastName: 'N/A' };
  expect(queryOf(beside).names).toEqual(['Anna Keller', 'Keller Anna', 'Keller', 'Anna']);
  expect(queryOf({ firstName: 'FNU', lastName: 'Unknown' }).names).toContain('FNU Unknown');
});

test.each([
  { name: 'N/A' },
  { name: 'unknown' },
  { name: 'NULL' },
  { name: 'NONE' },
  { firstName: 'FNU', lastName: 'LNU' },
  { firstName: 'no first name', lastName: 'No Last Name' },
  { firstName: 'null', lastName: 'null' },
  { name: 'xxx', lastName: '?' },
  { name: 'name not available' },
  { name: 'Имя неизвестно' },
  { name: 'N/A / N/A' },
  { name: 'Mr. Unknown' },
  { name: 'Unknown Person' },
])('placeholders alone name nobody: %j', (body) => {
  expect(isNamed(body)).toBe(false);
  expect(() => requireScreenable(body, '2026-11-22')).toThrow();
});

const placeholders = [
  'N/A N/A',
  'n.a. n.a.',
  'N/A, unknown',
  'nicht bekannt',
  'nicht vorhanden',
  'не указано',
  'no aplica',
  'não informado',
  'non noto',
  'non disponible',
  'brak danych',
  'veri yok',
  'does not apply',
  '无',
  '無',
  '없음',
  '모름',
  'なし',
  'غير معروف',
  'لا يوجد',
];

test.each(placeholders)('a placeholder in a field or within a name hides nobody: %s', (text) => {
  expect(isNamed({ name: text })).toBe(false);
  for (const body of [
    { firstName: text, lastName: 'Nicolas Maduro' },
    { firstName: 'Nicolas Maduro', lastName: text },
    { name: `${text} Nicolas Maduro` },
    { name: `Nicolas Maduro ${text}` },
  ])
    expect(matchesOf(body)).toEqual(['P1']);
});

test.each([
  'Christopher Null',
  'Nil Ahmed',
  'Na Li',
  'Na Na',
  'Given Mwale',
  'Anna Blank',
  'No Min-woo',
  'N.N. Rao',
  'Nao Suzuki',
  'Maarouf Ali',
  'معروف',
  'Last',
])('a name that looks like a placeholder is one, and compared as it is given: %s', (name) => {
  expect(isNamed({ name })).toBe(true);
  expect(queryOf({ name }).names).toContain(name);
});

test('a field that may be a placeholder is compared with and without', () => {
  const { names } = queryOf({ firstName: 'Christopher', lastName: 'Null' });
  expect(names).toEqual(expect.arrayContaining(['Christopher Null', 'Null Christopher', 'Christopher']));
});

test.each([
  ['Anna Huber a.k.a. Eva Keller', ['Anna Huber', 'Eva Keller']],
  ['Anna Huber AKA Evita', ['Anna Huber', 'Evita']],
  ['Anna Huber / Eva Keller', ['Anna Huber', 'Eva Keller']],
  ['Anna Huber; Eva Keller', ['Anna Huber', 'Eva Keller']],
  ['Anna Huber (Eva Keller)', ['Anna Huber', 'Eva Keller']],
  ['c/o Eva Keller', ['Eva Keller']],
  ['M/s Huber Trading', ['Huber Trading']],
  ['Anna Huber / Li Wei', ['Anna Huber', 'Li Wei']],
  ['Anna Huber/Eva Keller', ['Anna Huber', 'Eva Keller']],
  ['Anna Huber alias Evita', ['Anna Huber', 'Evita']],
  ['Anna Huber née Keller', ['Anna Huber', 'Anna Keller']],
  ['Анна Губер, урожденная Келлер', ['Анна Губер', 'Анна Келлер']],
  ['Anna and Eva Keller', ['Anna Keller', 'Eva Keller']],
  ...['and/or', 'AND / OR', '&/or', 'und/oder', 'und / oder', 'et/ou', 'y/o', 'e/ou', 'и/или'].map(
    (word): [string, string[]] => [`Anna Huber ${word} Eva Keller`, ['Anna Huber', 'Eva Keller']],
  ),
  ['Anna Huber and or Eva Keller', ['Anna Huber', 'or Eva Keller', 'Eva Keller']],
  ['Anna and/or Eva Keller', ['Anna Keller', 'Eva Keller']],
  ['KELLER, Anna & Eva', ['KELLER, Anna', 'Eva KELLER']],
  ['Mr & Mrs Anna Keller', []],
  ['Anna "Kim" Keller', ['Anna Keller']],
  ['1. Anna Huber 2. Eva Keller', ['Anna Huber', 'Eva Keller']],
  ['Anna Huber\tEva Keller', ['Anna Huber', 'Eva Keller']],
  ['Anna Huber - Eva Keller', ['Anna Huber', 'Eva Keller']],
  ['Anna Huber ... Eva Keller', ['Anna Huber', 'Eva Keller']],
  ['AnnaKeller', ['Anna Keller']],
  ['安娜又名伊娃', ['安娜', '伊娃']],
  ['Anna (Kim)', []],
  ['Maersk A/S', []],
  ['Johnson & Johnson', []],
  ['Marks and Spencer', []],
  ['Max Born', []],
  ['Or Cohen', []],
  ['Anna Huber & Or Cohen', ['Anna Huber', 'Or Cohen']],
  ['John Ex Smith', []],
])('the names in one field are compared, too: %s', (name, others) => {
  expect(queryOf({ name }).names).toEqual([name, ...others]);
  expect(queryOf({ name: 'Peter', aliases: [name] }).names).toEqual(['Peter', ...others, name]);
});

test.each([
  'Oil and Gas Ltd',
  'Caspian Oil & Gas Ltd',
  'Bank for Foreign Trade and Development',
  'Hong Kong and Shanghai Banking Corporation Limited',
  'PG&E Corporation',
  'Petrograd and Moscow Trading House',
  'García López, Ana María',
])('no part of a name with "and" or a comma is taken for another name: %s', (name) => {
  const names = [
    'GAS LLC',
    'OAO BANK FOR FOREIGN TRADE',
    'HONG KONG ELECTRONICS',
    'E CORPORATION',
    'PETROGRAD TRADING',
  ];
  const others = buildIndex([
    ...names.map((listed) => listEntry(listed, listed, { type: 'organisation' as const })),
    listEntry('P', 'GARCIA LOPEZ, Juan'),
  ]);
  expect(search(others, queryOf({ name }), { threshold: 0.88 })).toEqual([]);
});

test.each([
  ['Huber Bau and Petrograd General Trading LLC', 'C1'],
  ['Huber & Petrograd General Trading LLC', 'C1'],
  ['Petrograd General Trading LLC, Bern', 'C1'],
  ['Anna Huber, Nicolas Maduro Moros', 'P1'],
  ['Nicolas Maduro Moros, President of Venezuela', 'P1'],
  ['Anna Huber, Nicolas Maduro Moros and Eva Roth', 'P1'],
  ['Huber AG & Petrograd General Trading LLC', 'C1'],
  ['Huber AG and/or Petrograd General Trading LLC', 'C1'],
  ['Huber AG (formerly Petrograd General Trading)', 'C1'],
])('a whole listed name between commas or beside another firm is found: %s', (name, id) => {
  expect(matchesOf({ name })).toEqual([id]);
});

test.each([
  '\u202eorudaM salociN',
  'Nicolas\u200bMaduro',
  'Nicolas\u3164Maduro',
  'NIСОLАS МАDURО',
  'Nicolas M@duro',
  'N\u0489i\u0489c\u0489olas M\u0489aduro',
  'Ni\u20ddcolas Ma\u20dfduro',
  'Nic\u0591olas Mad\u094duro',
])('a name is compared as it looks: %j', (name) => {
  expect(matchesOf({ name })).toEqual(['P1']);
});

test.each<[string, SanctionsSearchBody]>([
  ['from right to left after others', { name: 'Nicolas \u202eorudaM' }],
  ['from right to left to a sign', { name: '\u202esalociN\u202c Maduro' }],
  ['one field from right to left', { firstName: '\u202esalociN', lastName: 'Maduro' }],
  ['dots between the letters', { name: 'N.i.c.o.l.a.s M.a.d.u.r.o M.o.r.o.s' }],
  ['dots and spaces', { name: 'N. i. c. o. l. a. s. M. a. d. u. r. o. M. o. r. o. s.' }],
  ['hyphens between the letters', { name: 'N-i-c-o-l-a-s M-a-d-u-r-o M-o-r-o-s' }],
  ['lines between the letters', { name: 'N_i_c_o_l_a_s_M_a_d_u_r_o_M_o_r_o_s' }],
  ['stars between the letters', { name: 'N*i*c*o*l*a*s M*a*d*u*r*o M*o*r*o*s' }],
  ['slashes between the letters', { name: 'N/i/c/o/l/a/s M/a/d/u/r/o Moros' }],
  ['bars between the letters', { name: 'N|i|c|o|l|a|s M|a|d|u|r|o M|o|r|o|s' }],
  ['commas between the letters', { name: 'N,i,c,o,l,a,s, M,a,d,u,r,o, M,o,r,o,s' }],
  ['dots in two fields', { firstName: 'N.i.c.o.l.a.s', lastName: 'M.a.d.u.r.o Moros' }],
])('a name is compared as it is read: %s', (_, body) => {
  expect(matchesOf(body)).toEqual(['P1']);
});

test.each(['—', '―', ' — ', '--', ' -- ', '…', '\t', '\v', '\f', '\u0085'])(
  'a sign that no name contains is between two holders: %j',
  (sign) => {
    expect(matchesOf({ name: `Peter Miller${sign}Nicolas Maduro` })).toEqual(['P1']);
    expect(matchesOf({ name: `Nicolas Maduro${sign}Peter Miller` })).toEqual(['P1']);
  },
);

test('the first and last names of several holders are put together', () => {
  const { names } = queryOf({ firstName: 'Anna / Eva', lastName: 'Huber / Keller' });
  expect(names).toEqual(expect.arrayContaining(['Anna Huber', 'Anna Keller', 'Eva Huber', 'Eva Keller']));
  expect(queryOf({ firstName: 'Anna a.k.a. Eva', lastName: 'Keller' }).names).toContain('Eva Keller');
});

test.each([
  ['Anna y Eva', 'Huber y Keller'],
  ['Anna, Eva', 'Huber, Keller'],
  ['Anna e Eva', 'Keller'],
  ['Anna, Eva', 'Keller'],
  ['Anna alias Eva', 'Keller'],
  ['Anna and/or Eva', 'Huber and/or Keller'],
  ['Eva', 'Huber née Keller'],
  ['Eva', 'Huber formerly Keller'],
  ['Anna / Eva', 'Born / Keller'],
])('holders across two fields are put together: %s, %s', (firstName, lastName) => {
  expect(queryOf({ firstName, lastName }).names).toContain('Eva Keller');
});

test.each([
  ['José', 'Ortega y Gasset', 'José Ortega'],
  ['Anna', 'Keller, Jr.', 'Anna Jr'],
  ['Nata', 'Huber', 'Huber'],
])('one holder stays one: %s, %s', (firstName, lastName, other) => {
  expect(queryOf({ firstName, lastName }).names).not.toContain(other);
});

test('of many names in one field and many aliases none is left out', () => {
  const many = Array.from({ length: 19 }, (_, at) => `Anna Huber${at}`).join('; ');
  const aliases = Array.from({ length: 20 }, (_, at) => `Eva Keller${at}`);
  expect(matchesOf({ name: `${many}; Nicolas Maduro Moros`, aliases })).toEqual(['P1']);
  expect(matchesOf({ name: many, aliases: [...aliases.slice(1), 'Nicolas Maduro Moros'] })).toEqual(['P1']);
});

test.each([
  ['de '.repeat(24) + 'Nicolas Maduro Moros', 'P1'],
  ['N/A '.repeat(24) + 'Nicolas Maduro Moros', 'P1'],
  ['LLC '.repeat(24) + 'Petrograd General Trading', 'C1'],
  ['of '.repeat(24) + 'Petrograd General Trading LLC', 'C1'],
  ['& '.repeat(24) + 'Petrograd General Trading LLC', 'C1'],
])('a listed name is found behind words that are repeated: %s', (name, id) => {
  expect(matchesOf({ name })).toEqual([id]);
});

const holders = (count: number) => Array.from({ length: count }, (_, at) => `Anna Huber${at}`).join('; ');

test.each<[isWhole: boolean, what: string, body: SanctionsSearchBody]>([
  [false, 'many initials', { name: `${'A. '.repeat(24)}Nicolas Maduro Moros` }],
  [false, 'many letters', { name: `${'x '.repeat(24)}Petrograd General Trading LLC` }],
  [false, 'many words', { name: `${'ab cd ef '.repeat(8)}Nicolas` }],
  [false, 'many words in two fields', { firstName: 'ab cd ef '.repeat(5), lastName: 'gh ij '.repeat(5) }],
  [false, 'an alias of many words', { name: 'Anna', aliases: ['ab cd '.repeat(13)] }],
  [false, 'more names in one field than are compared', { name: `${holders(70)}; Nicolas Maduro Moros` }],
  [false, 'many single words between slashes', { name: `${'ab/cd/ef/'.repeat(8)}Nicolas/Maduro` }],
  [false, 'many single words between low lines', { name: `${'ab_cd_ef_'.repeat(8)}Nicolas_Maduro` }],
  [
    false,
    'many words around a character reference',
    { name: `${'ab cd ef '.repeat(4)}ab&nbsp;cd ${'ef gh '.repeat(6)}Nicolas` },
  ],
  [true, 'few words between slashes', { name: 'ab/cd/ef/Nicolas/Maduro' }],
  [true, '24 words', { name: 'ab cd ef '.repeat(8) }],
  [true, 'words behind placeholders', { name: `${'N/A '.repeat(24)}Anna Huber` }],
  [true, 'twenty holders', { name: holders(20) }],
])('whether a name is read to its end: %s, %s', (isWhole, _, body) => {
  expect(isReadWhole(body, queryOf(body))).toBe(isWhole);
});

test('the twenty-first holder is compared, too', () => {
  expect(matchesOf({ name: `${holders(20)}; Nicolas Maduro Moros` })).toEqual(['P1']);
});

test('names that are repeated take the place of no other name', () => {
  const firstName = `${'ab;'.repeat(8)}Nicolas`;
  const lastName = `${'cd;'.repeat(9)}Maduro Moros`;
  expect(queryOf({ firstName, lastName }).names).toContain('Nicolas Maduro Moros');
  expect(matchesOf({ firstName, lastName })).toEqual(['P1']);
});

test('names of letters that are not read take the place of no other name', () => {
  const letters = ['ъ', 'ь', 'ʹ', 'ʺ', 'ˈ', 'ˊ', 'ˋ', 'ˆ'];
  const pairs = letters.flatMap((first) => letters.map((second) => `${first} ${second}`));
  const name = Array.from({ length: 25 }, (_, at) => `${pairs[2 * at]}&${pairs[2 * at + 1]};`).join('');
  const firstName = 'Huber Egli Sommer Winter Meier Gruber';
  const lastName = 'Egger Lechner Moser Pichler Steiner Fuchs; Nicolas Maduro Moros';
  expect(matchesOf({ name, firstName, lastName })).toEqual(['P1']);
});

test('a subject is the same with the same names in the same roles, case and accents aside', () => {
  const apart = { firstName: 'Anna', lastName: 'Keller', aliases: ['Eva', 'Ina'] };
  const again = { firstName: 'ANNA', lastName: 'Kéller', aliases: ['Ina', 'Eva'] };
  expect(identityText(again)).toBe(identityText(apart));
});

test.each<[string, SanctionsSearchBody, SanctionsSearchBody]>([
  ['an alias, a last name', { name: 'Anna', aliases: ['Keller'] }, { name: 'Anna', lastName: 'Keller' }],
  ['a first name, a last name', { name: 'Anna', firstName: 'Eva' }, { name: 'Anna', lastName: 'Eva' }],
  ['in one field, in two', { name: 'Anna Keller' }, { firstName: 'Anna', lastName: 'Keller' }],
  ['a last name less', { name: 'Anna Keller', lastName: 'Keller' }, { name: 'Anna Keller' }],
  [
    'two types of a number',
    { name: 'A', nationalIdentificator: 'X1234567', nationalIdentificatorType: 'DRLC' },
    { name: 'A', nationalIdentificator: 'X1234567', nationalIdentificatorType: 'CCPT' },
  ],
  [
    'two countries of issue',
    { name: 'A', nationalIdentificator: 'X1234567', identifierCountry: 'DE' },
    { name: 'A', nationalIdentificator: 'X1234567', identifierCountry: 'RU' },
  ],
  [
    'two kinds of a number',
    { name: 'A', nationalIdentificator: 'X1234567' },
    { name: 'A', registrationNumber: 'X1234567' },
  ],
])('subjects that differ in what is compared are two: %s', (_, one, other) => {
  expect(identityText(one)).not.toBe(identityText(other));
});
