import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../../../domain/sanctions/thresholds.ts';
import type { SanctionsSearchBody } from '../../../domain/sanctions-screening/schema.ts';
import { isReadWhole, queryOf } from '../../../domain/sanctions-screening/subject.ts';
import { listEntry } from '../../factories/sanctions.ts';
import { leastCpuMs } from '../../least-cpu-ms.ts';

const index = buildIndex([
  listEntry('P1', 'RAVENSCROFT, Hans Peter'),
  listEntry('P2', 'AVELLAN MEDAL, Ramon Antonio'),
  listEntry('P3', 'BERMEJO, Eva Luisa'),
  listEntry('P4', 'ABDULLAH, Abdullah Ahmed'),
  listEntry('P5', 'OSTERLOH, Thaddeus'),
  listEntry('P6', 'VASHCHENKOV, Evgeny Viktorovich'),
]);
const bestOf = (body: SanctionsSearchBody): number => search(index, queryOf(body))[0]?.score ?? 0;

test.each([
  'Hans Peter and Eva Bermann',
  'Hans Peter und Eva Bermann',
  'Mr. Hans Peter & Mrs. Eva Bermann',
  'Herr Hans Peter und Frau Eva Bermann',
  'Hans Peter y Eva Bermann',
  'Hans Peter e Eva Bermann',
])('the given names of one of a couple are no hit without the listed family name: %s', (name) => {
  expect(bestOf({ name })).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
  expect(bestOf({ name })).toBeLessThan(MATCH_THRESHOLD);
});

test('a listed person whose family name is a given name, too, is found beside another holder', () => {
  expect(bestOf({ name: 'Abdullah Ahmed and Eva Keller' })).toBeGreaterThan(MATCH_THRESHOLD);
});

test('the same words as a name of its own are compared as one', () => {
  const couple = 'Hans Peter and Eva Bermann';
  expect(bestOf({ name: couple, aliases: ['Hans Peter'] })).toBe(bestOf({ name: 'Hans Peter' }));
  expect(bestOf({ name: 'Hans Peter' })).toBeGreaterThan(MATCH_THRESHOLD);
});

test.each([
  'Hans Peter and Eva Ravenscroft',
  'Hans Peter & Eva Maria Ravenscroft',
  'Ramon Antonio and Anna Avellan Medal',
  'Mr. Ramon Antonio and Mrs. Anna Avellan Medal',
  'Ramon Antonio y Anna Avellan Medal',
  'Hans Ravenscroft und Anna Huber',
  'Anna Huber und Hans Ravenscroft',
])('a couple hides no listed person: %s', (name) => {
  expect(bestOf({ name })).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each([
  'M. Thaddeus et Mme Anna Osterloh',
  'Don Thaddeus y Doña Anna Osterloh',
  'Sig. Thaddeus e Sig.ra Anna Osterloh',
  'Dhr. Thaddeus en Mevr. Anna Osterloh',
  'Shri Thaddeus and Smt. Anna Osterloh',
  'Sr. D. Thaddeus y Dª Anna Osterloh',
  'Pan Thaddeus i Pani Anna Osterloh',
  'Mme Anna et M. Evgeny Vashchenkov',
  'Eheleute Evgeny und Anna Vashchenkov',
  'Familie Evgeny und Anna Vashchenkov',
  'Herrn Evgeny und Anna Vashchenkov',
  'General Evgeny and Mrs. Anna Vashchenkov',
  'General Evgeny Vashchenkov and Mrs. Anna Huber',
  'Minister Evgeny and Anna Vashchenkov',
  'Col. Evgeny and Mrs. Anna Vashchenkov',
  'Rev. Evgeny and Mrs. Anna Vashchenkov',
  'Dr. med. Evgeny und Anna Vashchenkov',
  'Ing. Evgeny e Anna Vashchenkov',
  'Don Hans Peter y Doña Eva Ravenscroft',
])('a form of address before a given name hides no listed person: %s', (name) => {
  expect(bestOf({ name })).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
});

test.each(['M. Evgeny et Mme Anna', 'Pan Evgeny i Pani Anna', 'Eheleute Evgeny und Anna'])(
  'a form of address hides none in two fields: %s',
  (firstName) => {
    expect(bestOf({ firstName, lastName: 'Vashchenkov' })).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
  },
);

test.each([
  // Without the other form of a couple, these words are names and initials.
  'Pan Thaddeus and Anna Osterloh Huber Keller',
  'Don Evgeny and Anna Huber',
  'General Osterloh and Thaddeus',
  'General Osterloh and Thaddeus Trading Ltd',
])('names and firms of words such as "Don" and "General" are left whole: %s', (name) => {
  expect(queryOf({ name }).names).not.toContainEqual(
    expect.stringMatching(/^(?:Evgeny|Thaddeus|Osterloh) /u),
  );
});

test.each(['Don Hans Peter y Doña Eva Bermann', 'General Hans Peter and Mrs. Eva Bermann'])(
  'given names behind a form of address are no hit without the listed family name: %s',
  (name) => {
    expect(bestOf({ name })).toBeLessThan(MATCH_THRESHOLD);
  },
);

test('holders have one more reading with a form of address, and none with a title that is never compared', () => {
  const names = (man: string, woman: string) =>
    queryOf({ name: `${man} Jan Roth and ${man} Max Weiss and ${woman} Eva Keller` }).names.length;
  expect([names('Mr.', 'Mrs.'), names('General', 'Mrs.'), names('Don', 'Doña')]).toEqual([4, 6, 7]);
});

test('two holders of whole names are not taken for one person of three words', () => {
  expect(bestOf({ name: 'Eva Keller and Anna Bermejo' })).toBeLessThan(REVIEW_THRESHOLD);
});

test('more couples than are compared are not read to their end', () => {
  const married = (count: number) => ({
    name: 'Anna Huber',
    aliases: Array.from({ length: count }, (_, at) => `Jan Roth${at} and Eva Maria Keller${at}`),
  });
  expect(isReadWhole(married(5), queryOf(married(5)))).toBe(true);
  expect(isReadWhole(married(19), queryOf(married(19)))).toBe(false);
});

test.each([
  'born 1965',
  'born 01.02.1965',
  'born 1 February 1965 in Moscow',
  'born on 1 May 1965',
  'geb. 01.02.1965',
  'geboren am 1. Mai 1965',
  'né le 01/02/1965',
  'nacido el 1 de mayo de 1965',
  'nata il 01/02/1965',
  '(born: 1965)',
])('a date of birth is no maiden name: %s', (birth) => {
  expect(bestOf({ name: `Hans Peter Bermann, ${birth}` })).toBeLessThan(REVIEW_THRESHOLD);
  expect(bestOf({ name: `Hans Peter Ravenscroft, ${birth}` })).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test('a maiden name before a date is one', () => {
  const name = 'Hans Peter Bermann, né Ravenscroft 01.02.1965';
  expect(bestOf({ name })).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each(['Jan Roth and ', 'Eva Roth y ', 'Don Jan y Doña ', 'General Jan and ', 'born on 1 '])(
  'a long text of couples is read at once: %s…',
  async (part) => {
    const name = part.repeat(Math.floor(1_000 / part.length));
    expect(await leastCpuMs(() => queryOf({ name }), 30)).toBeLessThan(30);
  },
);
