import { compareNames } from '../../../bench/sanctions/compare-names.ts';
import { nameParts } from '../../../domain/sanctions/name-parts.ts';
import { MATCH_THRESHOLD } from '../../../domain/sanctions/thresholds.ts';

const LISTED = ['RAVENSCROFT, Barnabas', 'Барнабас Рейвенскрофт'];
const scoreOf = (query: string): number =>
  Math.max(...LISTED.map((listed) => compareNames(query, listed, 'person').score));
const textsOf = (name: string) => nameParts(name, 'person').map(({ text }) => text);

test.each([
  'Barnabas Ravenscroft, Jr.',
  'Barnabas Ravenscroft, PhD',
  'Barnabas Ravenscroft, MBA',
  'Barnabas Ravenscroft, Esq.',
  'Barnabas Ravenscroft, III',
  'Barnabas Ravenscroft, CBE',
  'Barnabas Ravenscroft CBE',
  'Mr. Barnabas Ravenscroft Jr. III',
  'Mr.Barnabas Ravenscroft',
  'Dr.Barnabas.Ravenscroft',
  'Ravenscroft, Barnabas, Mr.',
  'Mr., Barnabas Ravenscroft',
  'Ravenscroft, Dr. Barnabas',
  'Ravenscroft, Barnabas Dr.',
  'Ravenscroft, Barnabas (Mr)',
  'His Excellency Barnabas Ravenscroft',
  'Prof. Dr. Dr. h.c. Barnabas Ravenscroft',
  'Herr Dipl.-Ing. Barnabas Ravenscroft',
  'Signor Barnabas Ravenscroft',
  'Señor Barnabas Ravenscroft',
  'Г-н Барнабас Рейвенскрофт',
  'Господин Барнабас Рейвенскрофт',
  'д-р Барнабас Рейвенскрофт',
  'The late Barnabas Ravenscroft',
  'Mr. and Mrs. Barnabas Ravenscroft',
  'Gen. Barnabas Ravenscroft',
  'Comrade Barnabas Ravenscroft',
  'ИП Рейвенскрофт Барнабас',
  'Barnabas¹ Ravenscroft²',
  'Barnabas&nbsp;Ravenscroft',
  'Barnabas &amp; Ravenscroft',
  'B a r n a b a s  R a v e n s c r o f t',
])('titles and other additions hide no name: %s', (query) => {
  expect(scoreOf(query)).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each(['RAVENSCROFT, Dr. Barnabas', 'Mr. Barnabas RAVENSCROFT', 'RAVENSCROFT, Barnabas, PhD'])(
  'nor do those of the listed name: %s',
  (listed) => {
    expect(compareNames('Barnabas Ravenscroft', listed, 'person').score).toBe(1);
  },
);

test.each([
  ['SANTOS, Junior', ['junior', 'santos']],
  ['RAHMAN, Md', ['md', 'rahman']],
  ['NGUEMA, Mba', ['mba', 'nguema']],
  ['KHAN, Sheikh', ['sheikh', 'khan']],
  ['Dr. Mr.', ['dr', 'mr']],
  ['His Excellency', ['his', 'excellency']],
  ['G. N. Ivanov', ['g', 'n', 'ivanov']],
  ['Ivanov G.N.', ['ivanov', 'g', 'n']],
  ['G.N.Ivanov', ['g', 'n', 'ivanov']],
  ['Anna Keller, M.D.', ['md', 'anna', 'keller']],
  ['Anna Keller M.D.', ['anna', 'keller', 'md']],
  ['LATE, Gen', ['gen', 'late']],
  ['Г. Н. Иванов', ['g', 'n', 'ivanov']],
])('what may be a name stays one: %s', (name, parts) => {
  expect(textsOf(name)).toEqual(parts);
});
