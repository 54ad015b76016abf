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
  expect(queryOf({ name: 'Anna', lastName: 'Kim' }).names).toEqual(['Anna Kim', 'Anna', 'Kim']);
});

test('false positives that are stored for a subject stay with it; another lone name is another subject', () => {
  const apart = { firstName: 'Anna', lastName: 'Keller' };
  expect(identityText(apart)).toBe(identityText({ name: 'Anna Keller' }));
  expect(identityText({ name: 'Anna Keller', lastName: 'Keller' })).toBe(identityText(apart));
  expect(identityText({ name: 'Anna Keller', lastName: 'Maduro' })).not.toBe(identityText(apart));
});
