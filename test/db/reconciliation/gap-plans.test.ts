import { newGapsSql } from '../../../db/reconciliation/find-new-gaps.ts';
import { gapStatements } from '../../../db/reconciliation/list-gaps.ts';
import { GAP_KINDS, ListReconciliationQuery } from '../../../domain/reconciliation/gap.ts';
import { bulkTenants, bulkTransactions } from '../../factories/bulk-rows.ts';
import { useApi, useTenant } from '../../use-api.ts';

const ROWS = 24_000;

const { api, database } = useApi();
const tenant = useTenant(api);
beforeAll(async () => {
  const { pool } = database;
  await bulkTransactions(pool, [tenant.id, ...(await bulkTenants(pool, 1))], { count: ROWS, wakeAt: 'null' });
  // Most are in order; of each hundred one lacks its hash, two an answer, one its message; ten have not left.
  await pool.query(
    `update transactions t set created_at = now() - n * interval '1 minute', updated_at = now() - n * interval '1 minute',
       direction = case when n % 100 = 3 or n % 2 = 0 then 'INCOMING' else 'OUTGOING' end,
       status = case when n % 100 = 5 then 'DELIVERED' when n % 100 = 3 or n % 100 = 7 or n % 10 = 9 then 'PENDING'
         else 'CONFIRMED' end,
       routing_fault = case when n % 100 = 7 then 'EMAIL_SENT' end, screening_state = 'CLEARED',
       message_source = case when n % 100 = 3 then 'MANUAL' else 'NATIVE' end,
       transaction_hash = case when n % 100 = 1 then null else 'h' end, blockchain = 'Ethereum'
     from (select id, row_number() over (partition by tenant_id) as n from transactions) numbered where t.id = numbered.id`,
  );
  await pool.query('vacuum (analyze) transactions');
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

async function planOf(text: string, values: unknown[]): Promise<Plan[]> {
  const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  return nodes(rows[0]?.['QUERY PLAN'][0].Plan as Plan);
}

/** Rows of transactions that a plan has read. */
const readIn = (plan: Plan[]) =>
  plan
    .filter((node) => node['Relation Name'] === 'transactions')
    .reduce((sum, node) => sum + node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), 0);

test.each(GAP_KINDS)('%s: a page reads no more than what lacks it, by an index', async (kind) => {
  const { page } = gapStatements(tenant.id, ListReconciliationQuery.parse({ _kind: kind, _end: '20' }));
  const plan = await planOf(page?.text ?? '', page?.values ?? []);
  expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  expect(plan[0]?.['Actual Rows']).toBe(20);
  expect(readIn(plan)).toBeLessThanOrEqual(600);
});

test('a look reads what has changed since the last one, not what was found before', async () => {
  const now = new Date();
  await planOf(newGapsSql(false), [tenant.id, now]);
  const since = new Date(now.getTime() - 3_600_000);
  const plan = await planOf(newGapsSql(true), [tenant.id, now, since]);
  expect(readIn(plan)).toBeLessThanOrEqual(2_000);
});
