import { workItemStatements } from '../../../db/work-items/list-work-items.ts';
import { ListWorkItemsQuery } from '../../../domain/work-items/work-item.ts';
import { bulkTenants, bulkTransactions, bulkVerifications } from '../../factories/bulk-rows.ts';
import { useApi, useTenant } from '../../use-api.ts';

const ROWS = 12_000;

const { api, database } = useApi();
const tenant = useTenant(api);
beforeAll(async () => {
  const { pool } = database;
  const tenants = [tenant.id, ...(await bulkTenants(pool, 3))];
  await bulkTransactions(pool, tenants, { count: ROWS, wakeAt: 'null' });
  await bulkVerifications(pool, tenants, { count: ROWS, wakeAt: 'null' });
  await pool.query(
    `update transactions t set created_at = now() - n * interval '1 minute',
       hold = case when n % 3 = 0 then 'SANCTIONS' end
     from (select id, row_number() over () as n from transactions) numbered where t.id = numbered.id`,
  );
  await pool.query('vacuum (analyze) transactions, verifications');
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  Plans?: Plan[];
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

async function planOf(query: Record<string, string>): Promise<Plan[]> {
  const { page } = workItemStatements(tenant.id, ListWorkItemsQuery.parse(query));
  const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) ${page.text}`,
    page.values,
  );
  return nodes(rows[0]?.['QUERY PLAN'][0].Plan as Plan);
}

const longAgo = new Date(Date.now() - 20 * 3_600_000).toISOString();

test.each([
  ['the first page', { _end: '20' }],
  ['a page far behind', { _end: '20', _after: `${longAgo}~TRANSACTION~0` }],
  ['the oldest', { _end: '20', _sort: 'since' }],
])('%s reads each source by its index, and no more of it than it shows', async (_, query) => {
  const plan = await planOf(query);
  const large = plan.filter((node) =>
    ['transactions', 'verifications'].includes(node['Relation Name'] ?? ''),
  );
  // By its key the transaction of a proposal is read.
  const indexes = ['transactions_next_action', 'transactions_pkey', 'verifications_status'];
  const ofGaps = [
    'transactions_hashless',
    'transactions_messageless',
    'transactions_status',
    'transactions_undelivered',
  ];
  const ofFailures = ['transactions_incomplete'];
  expect(new Set(large.map((node) => node['Index Name']))).toEqual(
    new Set([...indexes, ...ofGaps, ...ofFailures, 'verifications_step_reviews']),
  );
  for (const node of large) expect(node['Actual Rows']).toBeLessThanOrEqual(22);
});
