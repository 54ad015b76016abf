import { randomBytes } from 'node:crypto';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { useApi, useTenantPerTest } from '../use-api.ts';

/** PostgreSQL plans a prepared statement so often for its values before it compares the cost with that of one plan for all. */
const FIRST_PLANS = 5;
const RUNS = 40;

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

interface Prepared {
  name: string;
  custom: number;
  generic: number;
}

/** How often the statements of every open connection were planned for their values, and run by one plan for all. */
async function preparedStatements(): Promise<Prepared[]> {
  const { pool } = api.db;
  const clients = await Promise.all(
    Array.from({ length: pool.totalCount }, async () => await pool.connect()),
  );
  try {
    const found: Prepared[] = [];
    for (const client of clients) {
      const { rows } = await client.query<Prepared>(
        'select name, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements',
      );
      found.push(...rows);
    }
    return found;
  } finally {
    for (const client of clients) client.release();
  }
}

test('statements of every request are not planned anew for each: a plan takes longer than the run', async () => {
  await activateList(database.pool, 'OFAC_SDN', [listEntry('101', 'RASPUTIN, Grigori Yefimovich')]);
  const blockchainInfo = () => ({
    destination: `0x${randomBytes(20).toString('hex')}`,
    destinationType: 'CUSTODIAL',
  });
  const payout = () => ({ asset: 'ETH', amount: '1', blockchainInfo: blockchainInfo() });
  const parties = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
  for (let run = 0; run < RUNS; run += 1) {
    expect((await tenant.post('/transactions', { ...payout(), ...parties })).status).toBe(201);
    expect((await tenant.post('/transactions/preflight', payout())).status).toBe(200);
    expect((await tenant.post('/sanctions/search', { name: 'Eva Huber' })).status).toBe(200);
  }
  // Nothing is gained where a transaction is stored: its plan is short beside what it writes.
  const busy = (await preparedStatements()).filter(
    ({ name, custom, generic }) => name !== 'create-transactions' && custom + generic > FIRST_PLANS,
  );
  expect(busy.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['find-api-keys', 'find-labels', 'insert-screenings', 'read-screening-context']),
  );
  expect(busy.filter(({ custom }) => custom > FIRST_PLANS)).toEqual([]);
});
