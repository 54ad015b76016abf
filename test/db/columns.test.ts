import { insertRow } from '../../db/columns.ts';

test('a row is inserted by the names of its columns', () => {
  expect(insertRow('things', { id: 1, name: null }, 'on conflict do nothing')).toEqual({
    text: 'insert into things (id, name) values ($1, $2) on conflict do nothing',
    values: [1, null],
  });
  expect(insertRow('things', { id: 1 }).text).toBe('insert into things (id) values ($1)');
});
