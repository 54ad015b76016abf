import { testDatabase, type TestDatabase } from '../../database.ts';
import { bulkTenants, bulkTransactions } from '../../factories/bulk-rows.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => await database.drop());

test('the words for a hold are checked from now on, without a look at the transactions that are there', async () => {
  const { pool } = database;
  const { rows } = await pool.query<{ name: string }>(
    `select conname as name from pg_constraint
     where conrelid = 'transactions'::regclass and not convalidated and conname like '%hold_check' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'transactions_blocked_hold_check',
    'transactions_hold_check',
  ]);
  await bulkTransactions(pool, await bulkTenants(pool, 1), { count: 1, wakeAt: 'null' });
  for (const column of ['hold', 'blocked_hold']) {
    await pool.query(`update transactions set ${column} = 'TRAVEL_ADDRESS'`);
    await expect(pool.query(`update transactions set ${column} = 'WEATHER'`)).rejects.toThrow('_check');
  }
});
