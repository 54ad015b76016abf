import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import type { Json } from '../api-client.ts';
import { listEntry } from './sanctions.ts';

/** A listed person with the name in the scripts that lists publish. */
export const listedPerson: ListEntry = listEntry('P1', 'MADURO MOROS, Nicolas', {
  names: [
    { text: 'MADURO MOROS, Nicolas', kind: 'primary' },
    ...[
      'Николас Мадуро Морос',
      'نيكولاس مادورو موروس',
      '尼古拉斯·马杜罗·莫罗斯',
      'ניקולס מדורו מורוס',
      'Νικολάς Μαδούρο Μόρος',
    ].map((text) => ({ text, kind: 'original_script' as const })),
  ],
});

export const listedCompany: ListEntry = listEntry('C1', 'Petrograd General Trading LLC', {
  type: 'organisation',
});

const GIVEN = { firstName: 'Nicolas', lastName: 'Maduro Moros' };

/** The name fields by which somebody may write the listed person. */
export const waysToNamePerson: [way: string, fields: Json][] = [
  ['in one field', { name: 'Nicolas Maduro Moros' }],
  ['family name first', { name: 'Maduro Moros, Nicolas' }],
  ['in capitals, with accents', { name: 'NICOLÁS MADURO MOROS' }],
  ['apart', GIVEN],
  ['apart and swapped', { firstName: 'Maduro Moros', lastName: 'Nicolas' }],
  ['apart beside a placeholder', { name: '-', ...GIVEN }],
  ['apart beside another name', { name: 'Somebody Else', ...GIVEN }],
  ['the last name beside the first', { name: 'Nicolas', lastName: 'Maduro Moros' }],
  ['the first name beside the last', { name: 'Maduro Moros', firstName: 'Nicolas' }],
  ['all of it as a last name beside another', { name: 'A', lastName: 'Nicolas Maduro Moros' }],
  ['all of it as a last name beside a placeholder', { name: '--', lastName: 'Nicolas Maduro Moros' }],
  ['all of it as a first name beside a placeholder', { name: '?', firstName: 'Nicolas Maduro Moros' }],
  ['a placeholder as first name', { firstName: '-', lastName: 'Nicolas Maduro Moros' }],
  ['in three fields, one a dash', { name: 'Maduro Moros', firstName: 'Nicolas', lastName: '-' }],
  ['in three fields, one a dot', { name: 'Nicolas', firstName: '.', lastName: 'Maduro Moros' }],
  ['in three fields, one another name', { name: 'Nicolas', firstName: 'Peter', lastName: 'Maduro Moros' }],
  ...['N/A', 'n.a.', 'UNKNOWN', 'LNU', 'XXX', 'NMN'].map((lastName): [string, Json] => [
    `the last name ${lastName}`,
    { firstName: 'Nicolas Maduro Moros', lastName },
  ]),
  ['the first name FNU', { firstName: 'FNU', lastName: 'Nicolas Maduro Moros' }],
  ['with a title in either field', { firstName: 'Mr. Nicolas', lastName: 'Dr. Maduro Moros' }],
  ['with a title glued to the name', { name: 'Mr.Nicolas Maduro Moros' }],
  ['with a suffix after the last name', { firstName: 'Nicolas', lastName: 'Maduro Moros, Jr.' }],
  ['beside another name', { name: 'Peter Miller a.k.a. Nicolas Maduro Moros' }],
  ['in parentheses', { name: 'Peter Miller (Nicolas Maduro Moros)' }],
  ...[
    'a/k/a',
    'f/k/a',
    'alias',
    'also known as',
    'formerly',
    'doing business as',
    'trading as',
    'on behalf of',
  ].map((separator): [string, Json] => [
    `after "${separator}"`,
    { name: `Peter Miller ${separator} Nicolas Maduro Moros` },
  ]),
  ...[' and ', ' & ', ' or ', ' und ', ' et ', ' y ', '/', ' - ', ' | ', '\n'].map(
    (separator): [string, Json] => [
      `as the second holder after ${JSON.stringify(separator)}`,
      { name: `Peter Miller${separator}Nicolas Maduro` },
    ],
  ),
  ...['「', '【', '《', '. ', ' ^ ', '\u001f', ' i.V. ', ' by ', ' per ', ' vs ', ' p.o.a. ', ' 和 '].map(
    (separator): [string, Json] => [
      `as the second whole name after ${JSON.stringify(separator)}`,
      { name: `Anna Keller${separator}Nicolas Maduro Moros` },
    ],
  ),
  ...[
    'Payment to Nicolas Maduro Moros',
    'Succession de Nicolas Maduro Moros',
    'Nicolas Maduro Moros IBAN CH9300762011623852957',
    'Nicolas=20Maduro=20Moros',
    'Presidente Nicolas Maduro',
    'President of Venezuela Nicolas Maduro',
  ].map((name): [string, Json] => [`with words of a payment or an office: ${name}`, { name }]),
  ['as a holder with the family name of both', { firstName: 'Nicolas and Cilia', lastName: 'Maduro Moros' }],
  ['with a nickname within', { name: 'Nicolas "Nico" Maduro' }],
  ...['NONE', 'NULL', 'Nil', 'no last name', 'not available', 'unbekannt', 'неизвестно'].map(
    (lastName): [string, Json] => [`the last name ${lastName}`, { firstName: 'Nicolas Maduro', lastName }],
  ),
  ['a placeholder within the name', { name: 'Nicolas Maduro (middle name unknown)' }],
  ['in letters of other scripts that look alike', { name: 'Niсоlаs Μаduго' }],
  ['in squares', { name: '🅽🅸🅲🅾🅻🅰🆂 🅼🅰🅳🆄🆁🅾' }],
  ['with digits for letters', { firstName: 'N1c0las', lastName: 'Madur0 Moros' }],
  ['with a year', { name: 'Nicolas Maduro 1962' }],
  ['with character references', { name: 'Nicol&aacute;s&#32;Maduro' }],
  ['in Cyrillic', { name: 'Николас Мадуро Морос' }],
  ['in Cyrillic, apart', { firstName: 'Николас', lastName: 'Мадуро Морос' }],
  ['in Arabic', { name: 'نيكولاس مادورو موروس' }],
  ['in Chinese', { name: '尼古拉斯·马杜罗·莫罗斯' }],
  ['in Hebrew', { name: 'ניקולס מדורו מורוס' }],
  ['in Greek', { name: 'Νικολάς Μαδούρο Μόρος' }],
];

export const waysToNameCompany: [way: string, fields: Json][] = [
  ['in one field', { name: 'Petrograd General Trading LLC' }],
  ['without its legal form', { name: 'PETROGRAD GENERAL TRADING' }],
  ['as a last name beside a placeholder', { name: '-', lastName: 'Petrograd General Trading LLC' }],
  ['beside another name', { name: 'Some Holding', lastName: 'Petrograd General Trading' }],
  ['apart', { firstName: 'Petrograd', lastName: 'General Trading LLC' }],
  ['apart, one a dash', { name: 'Petrograd', firstName: '-', lastName: 'General Trading LLC' }],
  ['after the name of its trade', { name: 'Foo dba Petrograd General Trading' }],
  ['addressed as a firm', { name: 'M/s Petrograd General Trading' }],
  ['after another firm', { name: 'Foo Holding and Petrograd General Trading LLC' }],
  ['formerly', { name: 'Foo Holding (formerly known as Petrograd General Trading)' }],
  ...[
    'LLC Dubai Branch',
    'LLC (Dubai Branch)',
    'LLC Client Funds',
    'LLC Escrow Account',
    'LLC Treasury',
    'LLC in liquidation',
    'Group Holding AG',
  ].map((end): [string, Json] => [`before "${end}"`, { name: `Petrograd General Trading ${end}` }]),
  ['as the head of a branch', { name: 'Branch of Petrograd General Trading LLC' }],
  ['with a short word', { name: 'Petrograd Gen Trading' }],
  ['doing business', { name: 'Peter Miller d/b/a Petrograd General Trading' }],
];
