import knex, { type Knex } from 'knex';
import { down, up } from '../../../db/migrations/20261127_0180_sum_customers.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { bulkTenants, bulkTransactions } from '../../factories/bulk-rows.ts';

let database: TestDatabase;
let db: Knex;
beforeAll(async () => {
  database = await testDatabase();
  db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
  await db.raw(`insert into deployment (environment) values ('sandbox') on conflict do nothing`);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function isFromTheBeginning(): Promise<boolean> {
  await down(db);
  await up(db);
  const { rows } = await database.pool.query<{ since: boolean }>(
    `select customer_sums_since = '-infinity' as since from deployment`,
  );
  return rows[0]?.since === true;
}

test('sums are read where all transactions were noted: of a deployment with earlier ones only of what comes later', async () => {
  expect(await isFromTheBeginning()).toBe(true);
  await bulkTransactions(database.pool, await bulkTenants(database.pool, 1), { count: 1, wakeAt: 'null' });
  expect(await isFromTheBeginning()).toBe(false);
  const { rows } = await database.pool.query(
    `select 1 from deployment where customer_sums_since between now() + interval '50 minutes' and now() + interval '70 minutes'`,
  );
  expect(rows).toHaveLength(1);
});

test('who writes transactions needs no right on the sums', async () => {
  const [tenantId] = await bulkTenants(database.pool, 1);
  const role = `writer_${database.name}`;
  const client = await database.pool.connect();
  try {
    await client.query(
      `begin; create role ${role}; grant select, insert, update on transactions, tenants to ${role}; set local role ${role}`,
    );
    await bulkTransactions(client, [tenantId ?? ''], {
      count: 1,
      wakeAt: 'null',
    });
    await client.query('update transactions set subject_token = 7 where tenant_id = $1', [tenantId]);
    await client.query('reset role');
    const { rows } = await client.query('select count from customer_sums where tenant_id = $1', [tenantId]);
    expect(rows).toEqual([{ count: 1 }]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
