import { z } from 'zod';
import { listQuery, oneOrMore, Timestamp, wholeNumber } from '../../domain/list-query.ts';

const Query = listQuery({
  sortable: ['createdAt', 'amount'],
  filters: { _status: oneOrMore(z.enum(['OPEN', 'DONE'])), _from: Timestamp, _name: z.string() },
});

function faults(schema: z.ZodType, given: unknown) {
  const { error } = schema.safeParse(given);
  return error?.issues.map(({ path, code }) => [path.join('/'), code].join(' ')) ?? [];
}

describe('the page', () => {
  test.each([
    [{}, 0, 100],
    [{ _start: '250' }, 250, 350],
    [{ _end: '10' }, 0, 10],
    [{ _start: '20', _end: '120' }, 20, 120],
    [{ _start: '5', _end: '5' }, 5, 5],
  ])('%j is items %i to %i', (query, start, end) => {
    expect(Query.parse(query)).toMatchObject({ start, end });
  });

  test.each([
    [{ _start: '6', _end: '5' }, '_start'],
    [{ _end: '101' }, '_end'],
    [{ _start: '0', _end: '101' }, '_end'],
    [{ _start: '-1' }, '_start'],
    [{ _start: '01' }, '_start'],
    [{ _start: ' 1' }, '_start'],
    [{ _start: '1.0' }, '_start'],
    [{ _start: '9007199254740992' }, '_start'],
    [{ _start: ['1', '2'] }, '_start'],
  ])('%j is refused at %s', (query, place) => {
    expect(faults(Query, query)[0]).toMatch(place);
  });
});

describe('the order', () => {
  test.each([
    [{}, 'createdAt', 'DESC'],
    [{ _order: 'ASC' }, 'createdAt', 'ASC'],
    [{ _sort: 'amount' }, 'amount', 'ASC'],
    [{ _sort: 'amount', _order: 'DESC' }, 'amount', 'DESC'],
  ])('%j sorts by %s %s', (query, sort, order) => {
    expect(Query.parse(query)).toMatchObject({ sort, order });
  });

  test.each([{ _sort: 'id' }, { _sort: 'constructor' }, { _order: 'asc' }, { _order: 'random' }])(
    '%j is refused',
    (query) => {
      expect(faults(Query, query)).toEqual([`${Object.keys(query)[0]} invalid_value`]);
    },
  );
});

describe('filters', () => {
  test('are named without their underscore', () => {
    const { filters, q } = Query.parse({
      _status: 'OPEN',
      _from: '2026-01-31T10:00:00.123Z',
      _name: 'x',
      q: 'word',
    });
    expect(filters).toEqual({ status: ['OPEN'], from: new Date('2026-01-31T10:00:00.123Z'), name: 'x' });
    expect(q).toBe('word');
  });

  test('are all optional', () => {
    expect(Query.parse({})).toEqual({
      start: 0,
      end: 100,
      wantsCount: true,
      sort: 'createdAt',
      order: 'DESC',
      q: undefined,
      filters: {},
    });
  });

  test('take several values as repeats, as a comma list, or both', () => {
    for (const _status of [['OPEN', 'DONE'], 'OPEN,DONE', ['OPEN,DONE']]) {
      expect(Query.parse({ _status }).filters.status).toEqual(['OPEN', 'DONE']);
    }
  });

  test('refuse an unknown word among several, and a gap', () => {
    expect(faults(Query, { _status: 'OPEN,CLOSED' })).toEqual(['_status/1 invalid_value']);
    expect(faults(Query, { _status: 'OPEN,' })).toEqual(['_status/1 invalid_value']);
  });

  test('that are not listed are refused', () => {
    expect(faults(Query, { _colour: 'red' })).toEqual([' unrecognized_keys']);
  });
});

describe('a timestamp', () => {
  test.each([
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.5Z', '2026-01-31T10:00:00.500Z'],
    ['2026-01-31T10:00:00.123999Z', '2026-01-31T10:00:00.123Z'],
    ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
  ])('%s is %s', (text, expected) => {
    expect(Timestamp.parse(text).toISOString()).toBe(expected);
  });

  test.each([
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:60:00Z',
    '2026-01-01T10:00:00',
    '2026-01-01',
    '2026-01-01 10:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-14:00',
    '+012026-01-01T00:00:00Z',
    '1767225600000',
    'now',
  ])('%s is refused', (text) => {
    expect(Timestamp.safeParse(text).success).toBe(false);
  });
});

test('a whole number is plain digits from its minimum to the last exact one', () => {
  expect(wholeNumber(1).parse('9007199254740991')).toBe(9007199254740991);
  for (const text of ['0', '9007199254740992', '1e3', '0x10', '+1', '１']) {
    expect(wholeNumber(1).safeParse(text).success).toBe(false);
  }
});
