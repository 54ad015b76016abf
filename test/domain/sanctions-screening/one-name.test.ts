import { namesOfFields } from '../../../domain/sanctions-screening/field-labels.ts';
import { firmsWithin } from '../../../domain/sanctions-screening/firms-within.ts';
import {
  introducedWithin,
  namesWithin,
  personsWithin,
  segmentsWithin,
} from '../../../domain/sanctions-screening/names-within.ts';
import { isOneName } from '../../../domain/sanctions-screening/one-name.ts';

const one = [
  'Anna Keller',
  'Anna Maria von Keller',
  'Анна Келлер',
  'حسین موسوی',
  '王小明',
  'Müller',
  'Huber Shipping Company',
  'NATIONAL BANK',
  '山田太郎 タロウ',
];

test.each(one)('%s is one name', (text) => {
  expect(isOneName(text)).toBe(true);
});

/** At least one of every list of words and signs that part names, introduce one or tell of a role. */
const between = [
  'aka',
  'also known as',
  'doing business as',
  'on behalf of',
  'represented by',
  'vertreten durch',
  'в лице',
  '又名',
  'alias',
  'formerly',
  'genannt',
  'née',
  'geb',
  'and',
  'und',
  'oder',
  'y',
  'with',
  'per',
  'to',
  'for',
  'via',
  'subsidiary of',
  'tochter von',
  'last name',
  'passport',
  'citizen of',
  'nominee',
  'ultimate beneficial owner',
  'representing',
  'acting for',
  '&',
  '/',
  ';',
  ',',
  '(',
  '- ',
  '1.',
];
const holders = [
  ['Anna Keller', 'Eva Huber'],
  ['Anna Keller', 'Garantex'],
  ['Anna Keller', 'Huber Trading LLC'],
  ['Huber Trading LLC', 'Anna Keller'],
  ['Huber Trading LLC', 'Global Logistics LLC'],
];
const glued = [
  'Anna "Kim" Keller',
  'AnnaKeller',
  'Last name Keller First name Anna',
  'Nachname Keller Vorname Anna',
  'Anna Keller citizen of Austria',
];
const several = [
  ...between.flatMap((word) => holders.map(([before, after]) => `${before} ${word} ${after}`)),
  ...between.map((word) => `${word} Garantex Europe`),
  ...glued,
];

/** Everything that is looked for within a text. */
function within(text: string): string[] {
  const { persons, firms } = introducedWithin([text]);
  return [
    ...namesWithin([text]),
    ...segmentsWithin([text]),
    ...personsWithin([text]),
    ...firmsWithin([text]),
    ...namesOfFields([text]),
    ...persons,
    ...firms,
  ];
}

test.each([...one, ...several])('nothing is left unread that stands within %s', (text) => {
  expect(isOneName(text) ? within(text) : []).toEqual([]);
});

test.each(between)('“%s” is seen between two names', (word) => {
  const found = holders.filter(([before, after]) => within(`${before} ${word} ${after}`).length > 0);
  expect(found.length).toBeGreaterThan(0);
  for (const [before, after] of found) expect(isOneName(`${before} ${word} ${after}`)).toBe(false);
});
