import { foldDeltas } from '../../../db/statistics/fold.ts';
import { markForRecount, recountNext } from '../../../db/statistics/recount.ts';
import { CLAIM_STATUSES } from '../../../domain/claims/state.ts';
import { DIRECTIONS } from '../../../domain/direction.ts';
import { STATUSES } from '../../../domain/transactions/state.ts';
import { FLOWS, VERIFICATION_STATUSES } from '../../../domain/verifications/state.ts';
import { createClaim } from '../../factories/claim.ts';
import { countedChanges, makeChanges } from '../../factories/counted-changes.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();
const SEED = 20_261_126;
const newTenant = async () => await createTenant(api, { webhookUrl: WEBHOOK_URL });

const LISTS = [
  {
    path: '/transactions',
    living: 'transactions where deleted_at is null',
    word: 'direction',
    words: DIRECTIONS,
    statuses: STATUSES,
  },
  {
    path: '/wallet-verification',
    living: 'verifications where deleted_at is null',
    word: 'flow',
    words: FLOWS,
    statuses: VERIFICATION_STATUSES,
  },
  {
    path: '/claims',
    living: 'claims where erased_at is null',
    word: 'direction',
    words: DIRECTIONS,
    statuses: CLAIM_STATUSES,
  },
] as const;
type List = (typeof LISTS)[number];

/** The filters of status and of direction or flow, alone and together, with what they mean in SQL. */
function filtersOf({ word, words, statuses }: List): { query: string; condition: string }[] {
  const some = statuses.slice(0, 2);
  const byStatus = [
    ...statuses.map((status) => ({ query: `_status=${status}`, condition: `status = '${status}'` })),
    { query: `_status=${some.join(',')}`, condition: `status in ('${some.join("', '")}')` },
  ];
  const byWord = words.map((value) => ({ query: `_${word}=${value}`, condition: `${word} = '${value}'` }));
  const both = byWord.flatMap((left) =>
    byStatus.map((right) => ({
      query: `${left.query}&${right.query}`,
      condition: `${left.condition} and ${right.condition}`,
    })),
  );
  return [{ query: '', condition: 'true' }, ...byStatus, ...byWord, ...both];
}

/** Every list says as many as there are rows; returns the largest number. */
async function expectTrueTotals(tenant: TestTenant): Promise<number> {
  const totals: number[] = [];
  for (const list of LISTS)
    for (const { query, condition } of filtersOf(list)) {
      const { headers } = await tenant.get(`${list.path}?_end=1&${query}`);
      const { rows } = await database.pool.query<{ count: number }>(
        `select count(*)::int as count from ${list.living} and tenant_id = $1 and ${condition}`,
        [tenant.id],
      );
      const told = Number(headers.get('x-total-count'));
      expect([list.path, query, told]).toEqual([list.path, query, rows[0]?.count]);
      totals.push(told);
    }
  return Math.max(...totals);
}

async function foldAll(): Promise<void> {
  while (await foldDeltas(database.pool));
}

test('lists tell the exact number by direction, flow and status, before, while and after changes are folded and recounted', async () => {
  const tenant = await newTenant();
  const other = await newTenant();
  expect(await expectTrueTotals(tenant)).toBe(0);
  await makeChanges(api, other.id, countedChanges(SEED, 20));
  await makeChanges(api, tenant.id, countedChanges(SEED, 100));
  const claim = await createClaim(tenant);
  await createClaim(tenant);
  await tenant.patch(`/claims/${claim.id}`, { status: 'CANCELLED' });
  const before = await expectTrueTotals(tenant);
  expect(before).toBeGreaterThan(5);
  await foldAll();
  expect(await expectTrueTotals(tenant)).toBe(before);
  const { id } = await createTransaction(tenant);
  expect(await expectTrueTotals(tenant)).toBe(before + 1);
  await tenant.delete(`/transactions/${id}`);
  expect(await expectTrueTotals(tenant)).toBe(before);
  await markForRecount(database.pool);
  await createTransaction(tenant);
  expect(await expectTrueTotals(tenant)).toBe(before + 1);
  while (await recountNext(database.pool));
  expect(await expectTrueTotals(tenant)).toBe(before + 1);
  await expectTrueTotals(other);
});

test('a page beyond the end tells the number, and one without a count none', async () => {
  const tenant = await newTenant();
  await createTransaction(tenant);
  const beyond = await tenant.get<unknown[]>('/transactions?_start=50&_end=60');
  expect([beyond.headers.get('x-total-count'), beyond.body]).toEqual(['1', []]);
  const uncounted = await tenant.get('/transactions', { headers: { Prefer: 'count=none' } });
  expect(uncounted.headers.get('x-total-count')).toBeNull();
});
