import { sql, statementOf, whereGiven } from '../../db/query-builder.ts';

test('only conditions whose value is given are added; false, zero, empty and null are values', () => {
  const query = sql('things').select('id');
  whereGiven(query, {
    'a = ?': undefined,
    'b = ?': 0,
    'c = ?': false,
    'd = ?': '',
    'e is not distinct from ?': null,
    'f = any(?::text[])': [],
  });
  expect(statementOf(query)).toEqual({
    text: 'select "id" from "things" where b = $1 and c = $2 and d = $3 and e is not distinct from $4 and f = any($5::text[])',
    values: [0, false, '', null, []],
  });
});

test('a list of values is one parameter: the text does not depend on their number', () => {
  const textOf = (values: string[]) => {
    const query = sql('things');
    whereGiven(query, { 'status = any(?::text[])': values });
    return statementOf(query).text;
  };
  expect(textOf(['a'])).toBe(textOf(['a', 'b', 'c']));
});

test('queries within queries keep their values in order', () => {
  const inner = sql('things').select('id').where('a', 1);
  const outer = sql.raw('select * from ? inside where b = ?', [inner, 2]);
  expect(statementOf(outer)).toEqual({
    text: 'select * from (select "id" from "things" where "a" = $1) inside where b = $2',
    values: [1, 2],
  });
});
