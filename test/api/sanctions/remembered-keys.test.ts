import type { SanctionsScreening } from '../../../domain/sanctions-screening/schema.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant } from '../../factories/tenant.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const NAME = { name: 'Grigori Rasputin' };
const ADDRESS = '/sanctions/addresses/0xabc';

const { api, database } = useApi();
beforeAll(async () => {
  await activateList(database.pool, 'OFAC_SDN', [listEntry('101', 'RASPUTIN, Grigori Yefimovich')]);
});
const tenant = useTenantPerTest(api);

const search = async (body: unknown = NAME) =>
  await tenant.post<SanctionsScreening>('/sanctions/search', body);
const look = async () => await tenant.get<SanctionsScreening>(ADDRESS);

async function kept(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from screenings where tenant_id = $1',
    [tenant.id],
  );
  return rows[0]?.count ?? NaN;
}

/** The names of the prepared statements that the work needs. */
async function statementsOf(work: () => Promise<unknown>): Promise<unknown[]> {
  const query = jest.spyOn(api.db.pool, 'query');
  try {
    await work();
    return query.mock.calls.map(([config]) => (config as unknown as { name?: string }).name);
  } finally {
    query.mockRestore();
  }
}

test('a key that was read a moment ago is checked by the statement that keeps the answer', async () => {
  await search();
  const names = await statementsOf(async () => {
    expect((await search()).status).toBe(200);
    expect((await look()).status).toBe(200);
  });
  expect(names.filter((name) => name === 'insert-screenings')).toHaveLength(2);
  expect(names.filter((name) => name === 'find-api-keys')).toEqual([]);
  expect(await kept()).toBe(3);
});

describe.each([
  ['revoked', 'revoked_at = now()', 401, 'key_revoked'],
  ['expired', 'expires_at = now()', 401, 'key_expired'],
  ['of another role', `role = 'OBSERVER'`, 403, 'forbidden'],
])('a key that is %s since', (_what, change, status, code) => {
  beforeEach(async () => {
    await search();
    await database.pool.query(`update api_keys set ${change} where id = $1`, [tenant.apiKeyId]);
  });

  test('gets no screening, and none is kept', async () => {
    expect(await search()).toMatchObject({ status, body: { code } });
    expect(await search()).toMatchObject({ status, body: { code } });
    expect(await kept()).toBe(1);
  });

  test('is not told what is wrong with a request', async () => {
    for (const body of ['{', { name: '--' }, { name: 'A', lists: ['NOT_THERE'] }]) {
      expect(await search(body)).toMatchObject({ status, body: { code } });
    }
  });

  test('gets no answer that was kept under an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    expect(await tenant.post('/sanctions/search', NAME, { headers })).toMatchObject({
      status,
      body: { code },
    });
  });
});

test('a key that may only read goes on looking addresses up', async () => {
  await look();
  await database.pool.query(`update api_keys set role = 'OBSERVER' where id = $1`, [tenant.apiKeyId]);
  expect((await look()).status).toBe(200);
  expect(await kept()).toBe(2);
});

test('a key that is gone is unknown', async () => {
  await search();
  await database.pool.query('delete from api_keys where id = $1', [tenant.apiKeyId]);
  expect(await search()).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
});

test('what the tenant changes holds for the next answer', async () => {
  const before = await search();
  expect(before.body).toMatchObject({ totalMatches: 1, thresholds: { review: 0.72 } });
  await tenant.patch('/tenant/me/settings', { screening: { reviewThreshold: 0.6, matchThreshold: 0.95 } });
  expect((await search()).body.thresholds).toEqual({ review: 0.6, match: 0.95 });
  const [match] = before.body.matches;
  const suppressed = await tenant.post('/sanctions/suppressions', {
    screeningId: before.body.id,
    listCode: match?.listCode,
    listingId: match?.listingId,
    note: 'another man',
  });
  expect(suppressed).toMatchObject({ status: 201 });
  expect((await search()).body).toMatchObject({ totalMatches: 0, suppressedMatches: 1 });
  await api.request('PATCH', `/operator/tenants/${tenant.id}`, {
    operatorKey: api.operatorKey,
    body: { rateLimits: { screening: 1 } },
  });
  // The limit that was remembered let this one through; the next one is counted by the new limit.
  expect((await search()).status).toBe(200);
  expect((await search()).status).toBe(429);
});

test('of screenings that are kept in one statement only those of keys that hold are', async () => {
  const other = await createTenant(api);
  await Promise.all([search(), other.post('/sanctions/search', NAME)]);
  await database.pool.query('update api_keys set revoked_at = now() where id = $1', [other.apiKeyId]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, at) =>
      at % 2 === 0 ? await search() : await other.post('/sanctions/search', NAME),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, at) => (at % 2 === 0 ? 200 : 401)));
  expect(await kept()).toBe(11);
});
