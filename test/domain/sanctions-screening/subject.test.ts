import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import type { SanctionsSearchBody } from '../../../domain/sanctions-screening/schema.ts';
import {
  identityText,
  isScreenable,
  queryOf,
  requireScreenable,
  screenedName,
} from '../../../domain/sanctions-screening/subject.ts';
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
  ['Anna Huber a.k.a. Eva Keller', ['Anna Huber', 'Eva Keller']],
  ['Anna Huber AKA Evita', ['Anna Huber', 'Evita']],
  ['Anna Huber / Eva Keller', ['Anna Huber', 'Eva Keller']],
  ['Anna Huber; Eva Keller', ['Anna Huber', 'Eva Keller']],
  ['Anna Huber (Eva Keller)', ['Anna Huber', 'Eva Keller']],
  ['c/o Eva Keller', ['Eva Keller']],
  ['M/s Huber Trading', ['Huber Trading']],
  ['Anna (Kim)', []],
  ['Maersk A/S', []],
])('the names in one field are compared, too: %s', (name, others) => {
  expect(queryOf({ name }).names).toEqual([name, ...others]);
  expect(queryOf({ name: 'Peter', aliases: [name] }).names).toEqual(['Peter', ...others, name]);
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
