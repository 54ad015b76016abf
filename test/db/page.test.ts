import type pg from 'pg';
import { readPage } from '../../db/page.ts';
import { openPool } from '../../db/postgres.ts';
import { sql, statementOf } from '../../db/query-builder.ts';
import { testDatabase, type TestDatabase } from '../database.ts';

/** Every seven rows have the same name; `body` is what only the page reads. */
const ROWS = 500;

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, 2, () => undefined);
  await pool.query(
    `create table things (id int primary key, name text not null, body text not null);
     insert into things select n, 'name ' || n / 7, 'body ' || n from generate_series(1, ${ROWS}) n`,
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

interface ThingRow {
  id: number;
  name: string;
  body: string;
}

/** Reads a page of things by name; `order` is that of the names, ids descend. */
async function pageOf(
  range: { start: number; end: number; wantsCount?: boolean },
  { matching = sql('things').select('id'), order = 'asc' } = {},
) {
  const statements: pg.QueryConfig<unknown[]>[] = [];
  const db = {
    query: async <R extends pg.QueryResultRow>(statement: string | pg.QueryConfig<unknown[]>) => {
      statements.push(statement as pg.QueryConfig<unknown[]>);
      return await pool.query<R>(statement as pg.QueryConfig);
    },
  };
  const query = {
    matching: statementOf(matching),
    orderBy: `name ${order}, id desc`,
    rows: 'select id, name, body from page join things using (id)',
    range: { wantsCount: true, ...range },
  };
  const page = await readPage(db, query, (rows: ThingRow[]) => rows.map(({ id }) => id));
  return { ...page, statements };
}

/** The ids of all things, by name and then by descending id. */
async function sortedIds(): Promise<number[]> {
  const { rows } = await pool.query<ThingRow>('select id from things order by name, id desc');
  return rows.map(({ id }) => id);
}

describe('a page', () => {
  test.each([
    ['begins with the first item', 0, 10],
    ['ends before its end', 20, 21],
    ['lies deep', 480, 490],
    ['is cut off by the end of the list', 495, 595],
    ['lies beyond the list', 500, 600],
    ['is empty', 5, 5],
  ])('%s', async (_, start, end) => {
    const { items, total } = await pageOf({ start, end });
    expect(items).toEqual((await sortedIds()).slice(start, end));
    expect(total).toBe(ROWS);
  });

  test('follows another without repeating or missing an item, also among equals', async () => {
    const pages = [];
    for (let start = 0; start < ROWS; start += 9) pages.push((await pageOf({ start, end: start + 9 })).items);
    expect(pages.flat()).toEqual(await sortedIds());
  });

  test('is in the order of its keys, whatever order the rows are read in', async () => {
    const descending = await pageOf({ start: 0, end: ROWS }, { order: 'desc' });
    const { rows } = await pool.query<ThingRow>('select id from things order by name desc, id desc');
    expect(descending.items).toEqual(rows.map(({ id }) => id));
  });
});

describe('the total', () => {
  test('counts what matches and nothing else', async () => {
    const matching = sql('things').select('id').where('name', 'name 3');
    expect(await pageOf({ start: 0, end: 2 }, { matching })).toMatchObject({ items: [27, 26], total: 7 });
  });

  test('is neither asked for nor stated when it is not wanted', async () => {
    const { items, total, statements } = await pageOf({ start: 0, end: 3, wantsCount: false });
    expect([items.length, total, statements.length]).toEqual([3, undefined, 1]);
    expect(statements[0]?.text).not.toMatch(/count/);
  });
});

test('values travel as parameters, never in the text', async () => {
  const name = `'; drop table things; --`;
  const { items, statements } = await pageOf(
    { start: 0, end: 10 },
    { matching: sql('things').select('id').where('name', name) },
  );
  expect(items).toEqual([]);
  expect(statements.map(({ values }) => values?.[0])).toEqual([name, name]);
  for (const { text } of statements) expect(text).not.toContain('drop');
});

test('the same query gives several pages: reading one changes nothing of it', async () => {
  const matching = sql('things').select('id').where('name', 'name 3');
  await pageOf({ start: 0, end: 2 }, { matching });
  expect((await pageOf({ start: 2, end: 4 }, { matching })).items).toEqual([25, 24]);
});
