import type pg from 'pg';
import { inTransaction } from '../../../db/postgres.ts';
import { hitsStatement } from '../../../db/transactions/list-hits.ts';
import { conditionsOf } from '../../../db/transactions/list-conditions.ts';
import { listTransactions, pageOfTransactions } from '../../../db/transactions/list-transactions.ts';
import { pageStatements } from '../../../db/page.ts';
import { ListTransactionsQuery } from '../../../domain/transactions/viewing/list.ts';
import { eventually } from '../../eventually.ts';
import { bulkTenants, bulkTransactions } from '../../factories/bulk-rows.ts';
import { useApi, useTenant } from '../../use-api.ts';

const ROWS = 60_000;

const COUNTERPARTY = '0190d1a2-7b3c-7def-8123-456789abcdef';

const { api, database } = useApi();
const tenant = useTenant(api);
beforeAll(async () => {
  await fill(database.pool);
});

/** A quarter of the rows are the tenant's; of those every fifth has the name Ottokar, and each a hash and an address. */
async function fill(pool: pg.Pool): Promise<void> {
  await bulkTransactions(pool, [tenant.id, ...(await bulkTenants(pool, 3))], { count: ROWS, wakeAt: 'null' });
  const keys = await api.db.vault.tenantKeys(tenant.id);
  await pool.query(
    `update transactions t set
       created_at = now() - n * interval '1 minute', updated_at = now() - n * interval '1 minute',
       destination_normal = '0x' || md5(n::text), hash_normal = md5(n::text) || md5((-n)::text), reference = n::text,
       personal = repeat('x', 900)::bytea,
       status = case when n % 90 = 1 then 'CANCELLED' else status end,
       hold = case when n % 90 = 2 then 'SANCTIONS' end,
       routing_fault = case when n % 90 = 3 then 'VASP_NOT_FOUND' end,
       asset = case when n % 90 = 4 then 'rare' else asset end,
       blockchain_key = case when n % 90 = 5 then 'Tron' else 'Ethereum' end,
       counterparty_entity_id = case when n % 90 = 6 then $2::uuid end,
       search_tokens = case when n % 5 = 0 then array[$1::bigint, n] else array[-n, n] end
     from (select id, row_number() over () as n from transactions) numbered where t.id = numbered.id`,
    [keys.token('beneficiary', 'ottokar').toString(), COUNTERPARTY],
  );
  // A snapshot that somebody else holds at that moment, the autovacuum's own for one, keeps pages from being marked.
  await eventually(
    async () => {
      await pool.query('vacuum (analyze) transactions');
      return (await pool.query<{ all: boolean }>(ALL_VISIBLE)).rows[0]?.all;
    },
    (all) => all === true,
  );
}

const ALL_VISIBLE = `select relallvisible = relpages as all from pg_class where oid = 'transactions'::regclass`;

interface Plan {
  'Node Type': string;
  /** With ANALYZE: how often the node was run. */
  'Actual Loops'?: number;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

async function planOf({ text, values }: pg.QueryConfig<unknown[]>, analyze = ''): Promise<Plan[]> {
  return await inTransaction(database.pool, async (tx) => {
    const { rows } = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (${analyze} format json) ${text}`,
      values,
    );
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => nodes(plan)));
  });
}

async function listOf(query: Record<string, string>) {
  const list = ListTransactionsQuery.parse(query);
  const keys = await api.db.vault.tenantKeys(tenant.id);
  return { list, where: conditionsOf(tenant.id, list, keys) };
}

const onTransactions = (plan: Plan[]) => plan.filter((node) => node['Relation Name'] === 'transactions');

test.each([
  ['the first page', {}],
  ['a deep page', { _start: '7000', _end: '7100' }],
])('%s takes its keys from the index alone and its rows by their keys', async (_, query) => {
  const { list, where } = await listOf(query);
  const plan = await planOf(pageStatements(pageOfTransactions(tenant.id, where, list)).page);
  const [keys, rows, ...others] = onTransactions(plan);
  expect(others).toEqual([]);
  expect([keys, rows].map((node) => [node?.['Node Type'], node?.['Index Name']])).toEqual([
    ['Index Only Scan', 'transactions_newest'],
    ['Index Scan', 'transactions_pkey'],
  ]);
});

describe('the exact count', () => {
  const countOf = async (query: Record<string, string>) => {
    const { list, where } = await listOf(query);
    const { count } = pageStatements(pageOfTransactions(tenant.id, where, list));
    return onTransactions(await planOf(count, 'analyze,')).filter((node) => node['Actual Loops'] !== 0);
  };
  const setDue = async (due: boolean) =>
    await database.pool.query('update tenants set statistics_due = $2 where id = $1', [tenant.id, due]);
  afterEach(async () => {
    await setDue(false);
  });

  test.each([{}, { _status: 'PENDING,CANCELLED' }, { _direction: 'OUTGOING', _status: 'PENDING' }])(
    'of %j reads no transaction',
    async (query) => {
      await setDue(false);
      expect(await countOf(query)).toEqual([]);
    },
  );

  test('reads an index alone while the transactions are recounted, and where a filter has no kept count', async () => {
    const node = { 'Node Type': 'Index Only Scan' };
    await setDue(true);
    expect(await countOf({})).toEqual([expect.objectContaining(node)]);
    await setDue(false);
    expect(await countOf({ _to: '2100-01-01T00:00:00Z' })).toEqual([expect.objectContaining(node)]);
  });
});

describe('a filter of a work queue reads an index of its own, for the page and for the count', () => {
  test.each([
    ['clearance', { _clearance: 'STOP' }],
    ['next_action', { _nextAction: 'FIX_ROUTING' }],
    ['next_action', { _nextAction: 'REVIEW,FIX_ROUTING' }],
    ['hold', { _hold: 'SANCTIONS,RULE' }],
    ['asset', { _asset: 'RARE' }],
    ['blockchain', { _blockchain: 'TRX' }],
    ['counterparty', { _counterpartyEntityId: COUNTERPARTY }],
  ])('%s: %j', async (index, query) => {
    const { list, where } = await listOf(query);
    const { page, count } = pageStatements(pageOfTransactions(tenant.id, where, list));
    for (const statement of [page, count]) {
      const plan = await planOf(statement);
      expect(plan.map((node) => node['Index Name'])).toContain(`transactions_${index}`);
      expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    }
  });
});

describe('q finds its hits by the indexes of the search alone, whatever the planner guesses their number to be', () => {
  test.each(['ottokar', 'nobody', 'ottokar nobody', '0xabcdef', 'abcdef0123456789', '12345678-1234'])(
    '%s',
    async (q) => {
      const { list, where } = await listOf({ q });
      const plan = await planOf(hitsStatement(where, list));
      expect(onTransactions(plan).map((node) => node['Node Type'])).toEqual([
        'Bitmap Heap Scan',
        'Index Scan',
      ]);
      const searched = plan.filter((node) => node['Node Type'] === 'Bitmap Index Scan');
      expect(searched.length).toBeGreaterThan(10);
      for (const { 'Index Cond': condition } of searched) {
        // By tenant alone an index would find everything.
        expect(condition).toMatch(/@>|>=/);
      }
    },
  );
});

test('a page beyond the last hit still says how many there are', async () => {
  const { list } = await listOf({ q: 'ottokar', _start: '50000', _end: '50100' });
  const { rows } = await database.pool.query<{ total: number }>(
    'select count(*)::int as total from transactions where tenant_id = $1 and search_tokens[1] = $2::bigint',
    [tenant.id, (await api.db.vault.tenantKeys(tenant.id)).token('beneficiary', 'ottokar').toString()],
  );
  const page = await listTransactions(api.db, tenant.id, list);
  expect(page).toEqual({ items: [], total: rows[0]?.total });
  expect(page.total).toBeGreaterThan(1_000);
});

test('a blank q finds everything', async () => {
  const { where } = await listOf({ q: '  ' });
  expect(where).toEqual((await listOf({})).where);
});
