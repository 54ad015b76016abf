import { readOpenTransfers } from '../../../db/lifecycle/rescreen.ts';
import { bulkTenants, bulkTransactions } from '../../factories/bulk-rows.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();

test('a new list version costs what was confirmed since, not all that was ever confirmed', async () => {
  const pool = database.pool;
  await bulkTransactions(pool, await bulkTenants(pool, 20), { count: 30_000, wakeAt: 'null' });
  await pool.query(`update transactions set status = 'CONFIRMED', updated_at = now() - n * interval '1 minute'
    from (select id as chosen, row_number() over () + 60 as n from transactions) numbered where id = chosen`);
  await pool.query(`insert into message_pairs (id, outgoing_tenant_id, outgoing_id, incoming_tenant_id, incoming_id,
      created_at, decided_at)
    select gen_random_uuid(), tenant_id, id, tenant_id, id, updated_at, updated_at from transactions`);
  await pool.query('vacuum analyze transactions, message_pairs, tenants');
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscroft')]);
  const plan = await planOf(async () => {
    await readOpenTransfers(api.db, { code: 'OFAC_SDN', version: 1 }, { afterId: null, limit: 200 });
  });
  expect(plan).toContain('Index Scan using transactions_updated on transactions t');
  expect(plan).toContain('transactions_confirmed_held');
  expect(plan).not.toMatch(/Seq Scan on (transactions|message_pairs)/);
});

/** How PostgreSQL runs the last statement of `run`. */
async function planOf(run: () => Promise<void>): Promise<string> {
  const query = jest.spyOn(api.db.pool, 'query');
  await run();
  const calls = query.mock.calls as unknown as [string, unknown[]][];
  query.mockRestore();
  const [text, values] = calls.at(-1) ?? [];
  const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${String(text)}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
