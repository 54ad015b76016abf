import knex from 'knex';
import type pg from 'pg';
import { up } from '../../../db/migrations/20261122_0049_spell_identifiers.ts';
import { openPool } from '../../../db/postgres.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, 4, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('the migration stores listed numbers in the one spelling, once', async () => {
  const values = ['771234567', '\u04101234567', '\u0416712345'];
  await activateList(pool, 'OFAC_SDN', [
    listEntry('1', 'Barnabas Ravenscroft', {
      identifiers: values.map((value) => ({ kind: 'passport', value })),
    }),
  ]);
  const keysOf = async () => {
    const { rows } = await pool.query<{ key: string }>('select key from sanctions_identifiers order by key');
    return rows.map(({ key }) => key);
  };
  const now = await keysOf();
  expect(now).toContain('A1234567');
  // As the version before stored it.
  await pool.query(`update sanctions_identifiers set key = '\u04101234567' where key = 'A1234567'`);
  const db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
  try {
    await db.transaction(up);
    await db.transaction(up);
  } finally {
    await db.destroy();
  }
  expect(await keysOf()).toEqual(now);
});
