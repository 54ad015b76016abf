import type { Transaction } from '../../../domain/transactions/schema.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;
let id: string;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  tenant = await createTenant(api);
  const created = await tenant.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: 1,
    originator: { name: 'Anna Keller' },
    blockchainInfo: { destination: `0x${'1'.repeat(40)}`, destinationType: 'CUSTODIAL' },
  });
  id = created.body.id;
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

test('404: a record that is not deleted is not in the archive', async () => {
  expect((await tenant.get(`/tenant/me/archive/${id}?reason=audit`)).status).toBe(404);
});

describe('of a deleted record', () => {
  beforeAll(async () => {
    expect((await tenant.delete(`/transactions/${id}`)).status).toBe(204);
  });

  test('200: an administrator reads it as it was, and each reading is an event whose reason stays sealed', async () => {
    const answer = await tenant.get<Transaction>(`/tenant/me/archive/${id}?reason=court-order-17`);
    expect([answer.status, answer.body.originator?.name]).toEqual([200, 'Anna Keller']);
    const { rows } = await database.pool.query<{ type: string; text: string }>(
      `select type, events::text as text from events where subject_id = $1 order by sequence`,
      [id],
    );
    expect(rows.map(({ type }) => type)).toEqual(['CREATED', 'DELETED', 'ARCHIVE_READ']);
    expect(rows.map(({ text }) => text).join()).not.toContain('court-order');
    expect(await verifyEvents(database.pool, id)).toEqual({ checked: 1, faults: [] });
  });

  test('everywhere else it stays gone', async () => {
    expect((await tenant.get(`/transactions/${id}`)).status).toBe(404);
    expect((await tenant.get('/transactions?q=anna')).headers.get('x-total-count')).toBe('0');
  });

  test('400: without a reason', async () => {
    expect((await tenant.get(`/tenant/me/archive/${id}`)).status).toBe(400);
  });

  test('403: other roles may not', async () => {
    expect((await (await tenant.as('COMPLIANCE')).get(`/tenant/me/archive/${id}?reason=x`)).status).toBe(403);
  });

  test('404: another tenant does not find it', async () => {
    expect((await (await createTenant(api)).get(`/tenant/me/archive/${id}?reason=x`)).status).toBe(404);
  });

  test('401: without a key', async () => {
    expect((await api.request('GET', `/tenant/me/archive/${id}?reason=x`)).status).toBe(401);
  });
});
