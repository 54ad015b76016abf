import { testDatabase } from '../database.ts';

test('a test database is a clone of its own and goes away', async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()]);
  await one.pool.query('CREATE TABLE only_here (id int)');
  const found = await two.pool.query("SELECT to_regclass('only_here') AS name");
  expect(found.rows).toEqual([{ name: null }]);
  await Promise.all([one.drop(), two.drop()]);
});
