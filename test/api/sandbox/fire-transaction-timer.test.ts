import { changeTransaction } from '../../../db/transactions/change-transaction.ts';
import { deliverNative } from '../../../db/lifecycle/deliver-native.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import { markUnreachable } from '../../../domain/transactions/lifecycle/routing-outcomes.ts';
import { planOf } from '../../../domain/transactions/lifecycle/next-step.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createExchange, createTransaction, readTransaction } from '../../factories/transaction.ts';

let database: TestDatabase;
let api: TestApi;
let alpine: TestTenant;
let harbour: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  [alpine, harbour] = [await createTenant(api), await createTenant(api)];
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

const pathOf = (id: string) => `/sandbox/transactions/${id}/fire-timer`;
const fire = async (id: string, by: Pick<TestTenant, 'post'> = alpine) =>
  await by.post<Transaction & { code: string }>(pathOf(id));
const eventsOf = async (id: string) => (await alpine.get<EventView[]>(`/transactions/${id}/events`)).body;

async function setState(id: string, status: string, subStatus: string): Promise<void> {
  await database.pool.query(`update transactions set status = $2, sub_status = $3 where id = $1`, [
    id,
    status,
    subStatus,
  ]);
}

describe('202: its time is over, its log says by whom, and its workflow is told', () => {
  test.each([
    ['a message that was delivered', 'DELIVERED', 'AWAITING_COUNTERPARTY', 'ANSWER'],
    ['a message that waits for a route', 'PENDING', 'VASP_NOT_FOUND', 'ANSWER'],
    ['a message that is tried again', 'PENDING', 'VASP_NOT_REACHABLE', 'DELIVERY'],
    ['a transfer that waits for a proof', 'PENDING', 'OWNERSHIP_UNCONFIRMED', 'ANSWER'],
  ])('%s', async (_what, status, subStatus, deadline) => {
    const sent = await createTransaction(alpine);
    await setState(sent.id, status, subStatus);
    api.outbox.length = 0;
    const answer = await fire(sent.id);
    expect(answer).toMatchObject({ status: 202, body: { id: sent.id, status, subStatus, version: 2 } });
    expect(Date.parse(answer.body.clearance.deadlineAt ?? '')).toBeLessThan(Date.now());
    expect(await readTransaction(alpine, sent.id)).toEqual(answer.body);
    expect((await eventsOf(sent.id))[0]).toMatchObject({
      type: 'TIMER_FIRED',
      actor: 'API_KEY',
      apiKeyId: alpine.apiKeyId,
      data: { deadline },
    });
    expect(api.outbox.map(({ workflow, subjectId }) => [workflow, subjectId])).toEqual([
      ['transactionLifecycle', sent.id],
    ]);
  });

  test('ten times at once end one deadline once', async () => {
    const { id } = await createTransaction(alpine);
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await fire(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['TIMER_FIRED', 'CREATED']);
  });

  test('a delivery that was under way, with an older clock, does not bring the time back', async () => {
    const { id } = await createTransaction(alpine);
    const begun = new Date();
    await fire(id);
    const delivery = { tenantId: alpine.id, id, receiverTenantId: harbour.id, now: begun };
    expect(await deliverNative(api.db, delivery)).toBeNull();
    const record = await getTransaction(api.db, alpine.id, id);
    await changeTransaction(api.db, { ...delivery, decide: (own) => markUnreachable(own, begun) });
    const after = await getTransaction(api.db, alpine.id, id);
    expect(after.deadlineAt).toEqual(record.deadlineAt);
    expect(planOf(after, new Date())).toMatchObject({ step: 'EXPIRE' });
  });
});

describe('409: no deadline runs', () => {
  test('for what was received, which waits for its own tenant', async () => {
    const { incomingId } = await createExchange(api, alpine, harbour);
    expect(await fire(incomingId, harbour)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test('for what is decided', async () => {
    const { id } = await createTransaction(alpine);
    await alpine.patch(`/transactions/${id}`, { status: 'CANCELLED' });
    expect(await fire(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  test.each([
    ['FAILED', 'EXPIRED'],
    ['FAILED', 'VASP_NOT_REACHABLE'],
    ['DELIVERED', 'EXPIRED'],
  ])('for what is %s/%s', async (status, subStatus) => {
    const { id } = await createTransaction(alpine);
    await setState(id, status, subStatus);
    await database.pool.query('update transactions set deadline_at = null, wake_at = null where id = $1', [
      id,
    ]);
    expect(await fire(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await eventsOf(id)).toHaveLength(1);
  });
});

test('401, 403, 404, 400: without key, by an observer, unknown, deleted or foreign, with a body that means something', async () => {
  const { id } = await createTransaction(alpine);
  expect((await api.request('POST', pathOf(id))).status).toBe(401);
  expect((await fire(id, await alpine.as('OBSERVER'))).status).toBe(403);
  expect((await fire(id, harbour)).status).toBe(404);
  expect((await fire('01a1fdeb-0000-7000-8000-000000000000')).status).toBe(404);
  expect((await alpine.post(pathOf(id), { when: 'now' })).status).toBe(400);
  expect(await eventsOf(id)).toHaveLength(1);
  expect((await fire(id, await alpine.as('COMPLIANCE'))).status).toBe(202);
  await alpine.delete(`/transactions/${id}`);
  expect((await fire(id)).status).toBe(404);
});
