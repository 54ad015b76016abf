import fc from 'fast-check';
import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import type { SanctionsQuery } from '../../../domain/sanctions/sanctions-query.ts';
import { search } from '../../../domain/sanctions/search.ts';
import { leastCpuMs } from '../../least-cpu-ms.ts';
import { entry } from './entries.ts';

const PERSON = entry('1', 'person', ['VASILIEV, Anatoly Petrovich', 'VASSILIEFF, Anatole'], {
  birthDates: ['1970-03-12'],
  countries: ['RU'],
  gender: 'male',
  identifiers: [{ kind: 'passport', value: 'AB-123 456', country: 'RU' }],
});
const FIRM = entry('2', 'organisation', ['ORION TRADING LLC'], {
  wallets: [{ asset: 'ETH', address: '0xABCDEFabcdef0123456789abcdefABCDEF012345' }],
});
const SHIP = entry('3', 'vessel', ['ORION STAR']);
const WEAK = entry('4', 'person', ['GREY, Thomas Alan', { text: 'Viper', kind: 'weak' }]);
const index = buildIndex([PERSON, FIRM, SHIP, WEAK]);
const ids = (query: SanctionsQuery, threshold?: number): string[] =>
  search(index, query, threshold === undefined ? {} : { threshold }).map((match) => match.entry.sourceId);

describe('who is found', () => {
  test('the best of the names of an entry, once, with the name that matched and its parts', () => {
    const [match, ...others] = search(index, { names: ['Anatole Vassilieff'], type: 'NATURAL' });
    expect(others).toEqual([]);
    expect(match).toMatchObject({
      score: 1,
      matchedName: { text: 'VASSILIEFF, Anatole', kind: 'aka' },
      queryName: 'Anatole Vassilieff',
      parts: [
        { query: 'anatole', listed: 'anatole', how: 'exact', score: 1 },
        { query: 'vassilieff', listed: 'vassilieff', how: 'exact', score: 1 },
      ],
    });
  });

  test('an alias of the query counts as much as its name', () => {
    expect(ids({ names: ['Nobody Atall', 'Anatoly Vasiliev'] })).toEqual(['1']);
  });

  test('persons only among persons, firms also among ships', () => {
    expect(ids({ names: ['Orion Trading'], type: 'NATURAL' })).toEqual([]);
    expect(ids({ names: ['Orion Star'], type: 'LEGAL' })).toEqual(['3']);
    expect(ids({ names: ['Orion Star'] })).toEqual(['3']);
  });

  test('a segment of a name matches only a listed name without any other word', () => {
    expect(ids({ names: ['Nobody Atall'], segments: ['Orion Trading'], type: 'LEGAL' })).toEqual(['2']);
    expect(ids({ names: ['Nobody Atall'], segments: ['Thomas Grey'] })).toEqual([]);
    expect(ids({ names: ['Nobody Atall'], segments: ['Thomas Alan Grey'] })).toEqual(['4']);
  });

  test('digits of a person are also left out or read as letters, those of a firm or a ship are not', () => {
    expect(ids({ names: ['An4toly Vas1liev 1970'], type: 'NATURAL' }, 0.88)).toEqual(['1']);
    const ships = buildIndex([entry('1', 'vessel', ['ORION STAR 7'])]);
    expect(search(ships, { names: ['Orion Star 8'], type: 'LEGAL' }, { threshold: 0.88 })).toEqual([]);
  });

  test('an identifier finds its entry under any name and whatever the separators', () => {
    const identifiers = [{ value: 'ab123456', kinds: ['passport'] as const, countries: [] }];
    const [match] = search(index, { names: ['Nobody Atall'], identifiers });
    expect(match).toMatchObject({ entry: { sourceId: '1' }, score: 0.72 });
    const [named] = search(index, { names: ['Anatol Wasiliev'], identifiers });
    expect(named).toMatchObject({ entry: { sourceId: '1' }, score: 0.98 });
    expect(match?.qualifiers).toContainEqual(
      expect.objectContaining({ kind: 'identifier', outcome: 'equal' }),
    );
  });

  test('an alias that the list calls weak never makes a match, only a review', () => {
    expect(search(index, { names: ['Viper'], type: 'NATURAL' })[0]).toMatchObject({
      score: 0.8,
      matchedName: { kind: 'weak' },
    });
  });

  test('a weak alias never stands before a better name of its entry, whatever their order', () => {
    const names = [
      { text: 'KELLER HUBER, Anna', kind: 'primary' as const },
      { text: 'ANNA HUBER', kind: 'weak' as const },
      { text: 'HUBER, Anna', kind: 'aka' as const },
    ];
    for (const listed of [names, names.toReversed()]) {
      const one = buildIndex([entry('1', 'person', listed)]);
      expect(search(one, { names: ['Anna Huber'] })[0]).toMatchObject({
        score: 1,
        matchedName: { kind: 'aka' },
      });
    }
    const two = buildIndex([entry('1', 'person', names.slice(0, 2))]);
    const [match] = search(two, { names: ['Anna Huber Keller'] });
    expect(match).toMatchObject({ score: 1, matchedName: { kind: 'primary' } });
  });

  test('threshold and limit are kept', () => {
    expect(ids({ names: ['Anatoly Vasiljev'] }, 0.99)).toEqual([]);
    const many = buildIndex(
      Array.from({ length: 30 }, (_, at) => entry(String(at), 'person', ['VASILIEV, Anatoly'])),
    );
    const found = search(many, { names: ['Anatoly Vasiliev'] }, { limit: 3 });
    expect(found.map((match) => match.entry.sourceId)).toEqual(['0', '1', '2']);
  });
});

describe('qualifiers', () => {
  const scoreOf = (more: Partial<SanctionsQuery>): number =>
    search(index, { names: ['Anatoly Vasiliev'], type: 'NATURAL', ...more }, { threshold: 0 })[0]?.score ??
    -1;
  const plain = scoreOf({});

  test.each<[string, Partial<SanctionsQuery>, number]>([
    ['the same birth date', { birthDate: '1970-03-12' }, 0.05],
    ['day and month swapped', { birthDate: '1970-12-03' }, 0],
    ['another day of the year', { birthDate: '1970-07-01' }, -0.1],
    ['the same year', { birthDate: '1970' }, 0.02],
    ['a year beside', { birthDate: '1971-03-12' }, -0.05],
    ['another year', { birthDate: '1950-03-12' }, -0.15],
    ['another gender', { gender: 'female' }, -0.2],
    ['the same country', { countries: ['DE', 'RU'] }, 0.02],
    ['another country', { countries: ['DE'] }, -0.05],
  ])('%s', (_, more, effect) => {
    expect(scoreOf(more)).toBeCloseTo(plain + effect, 4);
  });

  test.each([
    ['a range covers its years', '1960/1965', '1963-01-01', 'equal'],
    ['a range ends', '1960/1965', '1975-01-01', 'different'],
    ['about a year is near to five years beside', '~1960', '1964-01-01', 'near'],
  ])('%s', (_, listed, birthDate, outcome) => {
    const one = buildIndex([entry('1', 'person', ['VASILIEV, Anatoly'], { birthDates: [listed] })]);
    expect(search(one, { names: ['Anatoly Vasiliev'], birthDate })[0]?.qualifiers).toMatchObject([
      { kind: 'birth_date', outcome },
    ]);
  });

  test('a date of birth and a gender say nothing of a company, which a subject without type is compared with', () => {
    const dated = { birthDates: ['1950'], gender: 'male' as const };
    const one = buildIndex([
      entry('1', 'person', ['HUBER, Anna'], dated),
      entry('2', 'organisation', ['ANNA HUBER'], dated),
    ]);
    const subject = { names: ['Anna Huber'], birthDate: '1990-01-01', gender: 'female' as const };
    const found = search(one, subject, { threshold: 0 });
    expect(found.map(({ entry: { sourceId }, score }) => [sourceId, score])).toEqual([
      ['2', 1],
      ['1', 0.65],
    ]);
  });

  test('what the list does not know says nothing', () => {
    const [match] = search(index, {
      names: ['Thomas Alan Grey'],
      birthDate: '1950-01-01',
      countries: ['DE'],
      gender: 'female',
    });
    expect(match).toMatchObject({ score: 1, qualifiers: [] });
  });
});

describe('whatever the input', () => {
  const letters = fc.constantFrom(
    ...'abmnorsvyz АБМно محلي 김성 王强 ・ー \u200d\u200f\u0301 0 7 - . \u{1f600}'.split(''),
  );
  const anything = fc.oneof(
    fc.string({ unit: letters, maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );

  test('any name gets an answer with scores from 0 to 1, best first, the same in an index built anew', () => {
    const twin = buildIndex([PERSON, FIRM, SHIP, WEAK]);
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 3 }), (names) => {
        const found = search(index, { names }, { threshold: 0 });
        const scores = found.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((left, right) => right - left));
        expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
        expect(JSON.stringify(search(twin, { names }, { threshold: 0 }))).toBe(JSON.stringify(found));
      }),
      { numRuns: 150 },
    );
  });

  test('an entry can have any name: nothing is lost from the index but names without letters and digits', () => {
    fc.assert(
      fc.property(anything, (name) => {
        const one = buildIndex([entry('1', 'person', [name])]);
        expect(one.nameEntries.length).toBeLessThanOrEqual(1);
        expect(() => search(one, { names: [name] }, { threshold: 0 })).not.toThrow();
      }),
      { numRuns: 150 },
    );
  });

  test.each(['', ' ', '.', '\u200f\u200e\u200d', '\u{1f600}\u{1f600}', '’', '---'])(
    '%j has no name in it: an honest empty answer',
    (name) => {
      expect(search(index, { names: [name] }, { threshold: 0 })).toEqual([]);
    },
  );

  test('an empty list finds nobody', () => {
    expect(search(buildIndex([]), { names: ['Anatoly Vasiliev'] })).toEqual([]);
  });

  const syllables =
    'mu ha mad ab dul ka rim ali has san ibn yus uf sal eh om ar kim song chol ri jong il va si li ev'.split(
      ' ',
    );
  const crowd = buildIndex(
    Array.from({ length: 20_000 }, (_, at) => {
      const word = (step: number): string =>
        [1, 2, 3].map((turn) => syllables[(at * step + turn * turn * at) % syllables.length]).join('');
      return entry(String(at), 'person', [`${word(7)}, ${word(11)} ${word(13)}`]);
    }),
  );

  test.each([
    ['one letter', 'a'],
    ['1,000 letters', 'x'.repeat(1000)],
    ['333 words', 'muha madkarim '.repeat(150)],
    ['many different words', syllables.join(' ')],
    ['only digits', '1234567890'],
    ['many Arabic words', 'محمد علي حسن عبد الله احمد ابراهيم خالد سعيد عمر محمود يوسف سليم ناصر'],
    ['one Arabic word again and again', 'محمد '.repeat(200)],
    ['marks without end', 'م' + '\u200d\u064e'.repeat(500)],
    ['a long Han text', '王国强'.repeat(100)],
    ['a long Hangul text', '김성철 '.repeat(100)],
  ])('%s takes at most 100 ms among 20,000 names', async (_, name) => {
    const compare = () => search(crowd, { names: [name] }, { threshold: 0 });
    expect(await leastCpuMs(compare, 100)).toBeLessThan(100);
  });
});
