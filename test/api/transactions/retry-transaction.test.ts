import type { Transaction } from '../../../domain/transactions/schema.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function create(): Promise<string> {
  const answer = await tenant.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: 1,
    blockchainInfo: { destination: `0x${'1'.repeat(40)}`, destinationType: 'CUSTODIAL' },
  });
  return answer.body.id;
}

async function failed(): Promise<string> {
  const id = await create();
  await database.pool.query(
    `update transactions set status = 'FAILED', sub_status = 'EXPIRED', wake_at = null where id = $1`,
    [id],
  );
  return id;
}

test('200: a failed transaction is PENDING again with new deadlines, an event, and a workflow that is told', async () => {
  const id = await failed();
  api.outbox.length = 0;
  const answer = await tenant.post<Transaction>(`/transactions/${id}/retry`);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    id,
    status: 'PENDING',
    subStatus: 'ROUTING',
    version: 2,
    clearance: { outcome: 'WAIT', nextAction: 'NONE', deadlineAt: expect.any(String) },
  });
  expect(api.outbox.map(({ workflow, subjectId }) => [workflow, subjectId])).toEqual([
    ['transactionLifecycle', id],
  ]);
  const events = await tenant.get<{ type: string; previousStatus: string }[]>(`/transactions/${id}/events`);
  expect(events.body[0]).toMatchObject({ type: 'RETRIED', previousStatus: 'FAILED' });
});

test('409: of twenty at once one takes it up, the others learn that it has not failed', async () => {
  const id = await failed();
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => await tenant.post(`/transactions/${id}/retry`)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(409)]);
});

test('409: one that has not failed', async () => {
  const answer = await tenant.post(`/transactions/${await create()}/retry`);
  expect([answer.status, answer.body['code'], answer.body['allowed']]).toEqual([
    409,
    'invalid_transition',
    [],
  ]);
});

test('404, 401, 403, 400: unknown, of another tenant, without key, by an observer, with a body that means something', async () => {
  const id = await failed();
  const path = `/transactions/${id}/retry`;
  expect((await tenant.post('/transactions/01a1fdeb-0000-7000-8000-000000000000/retry')).status).toBe(404);
  expect((await (await createTenant(api)).post(path)).status).toBe(404);
  expect((await api.request('POST', path)).status).toBe(401);
  expect((await (await tenant.as('OBSERVER')).post(path)).status).toBe(403);
  expect((await tenant.post(path, { status: 'PENDING' })).status).toBe(400);
});
