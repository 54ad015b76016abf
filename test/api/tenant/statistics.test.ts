import { recountNext } from '../../../db/statistics/recount.ts';
import { addMs, MINUTE_MS } from '../../../domain/durations.ts';
import { monthAt } from '../../../domain/tenants/local-month.ts';
import type { Statistics } from '../../../domain/statistics/schema.ts';
import { createClaim } from '../../factories/claim.ts';
import { createTenant, WEBHOOK_URL } from '../../factories/tenant.ts';
import { createMessagePair, createTransaction, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const price = { usd: '2000.5', eur: '1900', source: 'test', pricedAt: new Date() };
const { api } = useApi({ prices: { ETH: price } });
const tenant = useTenantPerTest(api, { webhookUrl: WEBHOOK_URL });
const PATH = '/tenant/me/statistics';

test('a month without records has empty lists, and a rate of nothing is null', async () => {
  expect((await tenant.get<Statistics>(`${PATH}?month=2026-02`)).body).toEqual({
    month: '2026-02',
    timeZone: 'UTC',
    from: '2026-02-01T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
    asOf: expect.any(String),
    complete: true,
    transactions: [],
    answers: [],
    claims: [],
    verifications: [],
    reuseHits: 0,
    screenings: { transactions: 0, requests: 0, sanctioned: 0, possible: 0, incomplete: 0 },
    ruleDecisions: [],
    webhooks: { delivered: 0, gaveUp: 0, successRate: null },
  });
});

test('without a month it is the current one, and a change counts at once', async () => {
  const started = Date.now();
  await createTransaction(tenant, { amount: '0.1' });
  const sent = await createTransaction(tenant, { amount: '3' });
  await tenant.patch(`/transactions/${sent.id}`, { status: 'CANCELLED' });
  const { body } = await tenant.get<Statistics>(PATH);
  expect(new Date(body.asOf).getTime()).toBeGreaterThanOrEqual(started);
  expect(body).toMatchObject({
    month: monthAt(new Date(body.asOf), 'UTC'),
    transactions: [
      {
        direction: 'OUTGOING',
        status: 'PENDING',
        count: 1,
        volumeUsd: '200.05',
        volumeEur: '190',
        withoutValue: 0,
      },
      { direction: 'OUTGOING', status: 'CANCELLED', count: 1, volumeUsd: '6001.5', volumeEur: '5700' },
    ],
  });
  expect((await tenant.delete(`/transactions/${sent.id}`)).status).toBe(204);
  expect((await tenant.get<Statistics>(PATH)).body.transactions).toHaveLength(1);
});

test('a claim counts for the side that made it, and moves with its status', async () => {
  const { id } = await createClaim(tenant);
  const claims = async () => (await tenant.get<Statistics>(PATH)).body.claims;
  expect(await claims()).toEqual([{ direction: 'OUTGOING', status: 'PENDING', count: 1 }]);
  await createClaim(tenant);
  expect((await tenant.patch(`/claims/${id}`, { status: 'CANCELLED' })).status).toBe(200);
  expect(await claims()).toEqual([
    { direction: 'OUTGOING', status: 'PENDING', count: 1 },
    { direction: 'OUTGOING', status: 'CANCELLED', count: 1 },
  ]);
});

test('an answer counts for both sides, and for nobody else', async () => {
  const [receiver, stranger] = [await createTenant(api), await createTenant(api)];
  const { incomingId, outgoingId } = await createMessagePair(api, tenant, receiver);
  await receiver.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED' });
  expect(await readTransaction(tenant, outgoingId)).toMatchObject({ status: 'CONFIRMED' });
  const [own, other, none] = [
    (await tenant.get<Statistics>(PATH)).body,
    (await receiver.get<Statistics>(PATH)).body,
    (await stranger.get<Statistics>(PATH)).body,
  ];
  expect(own).toMatchObject({
    transactions: [{ direction: 'OUTGOING', status: 'CONFIRMED', count: 1 }],
    answers: [{ direction: 'OUTGOING', count: 1 }],
  });
  expect(other).toMatchObject({
    transactions: [{ direction: 'INCOMING', status: 'CONFIRMED', count: 1 }],
    answers: [{ direction: 'INCOMING', count: 1 }],
  });
  expect(none).toMatchObject({ transactions: [], answers: [], screenings: { transactions: 0 } });
});

test('the month ends by clocks of the time zone', async () => {
  const { id } = await createTransaction(tenant);
  // A millisecond before midnight in Kathmandu.
  const last = new Date('2026-10-31T18:14:59.999Z');
  for (const [createdAt, month] of [
    [last, '2026-10'],
    [addMs(last, 1), '2026-11'],
    [addMs(last, 30 * 24 * 60 * MINUTE_MS), '2026-11'],
    [addMs(last, 30 * 24 * 60 * MINUTE_MS + 1), '2026-12'],
  ] as const) {
    await api.db.pool.query('update transactions set created_at = $2 where id = $1', [id, createdAt]);
    await api.db.pool.query('update tenants set statistics_due = true where id = $1', [tenant.id]);
    await recountNext(api.db.pool);
    await tenant.patch('/tenant/me/settings', { timeZone: 'Asia/Kathmandu' });
    const counted = async (each: string) =>
      (await tenant.get<Statistics>(`${PATH}?month=${each}`)).body.transactions.length;
    const months = ['2026-10', '2026-11', '2026-12'];
    expect([createdAt, await Promise.all(months.map(counted))]).toEqual([
      createdAt,
      months.map((each) => (each === month ? 1 : 0)),
    ]);
  }
});

test.each(['2026-13', '2026-00', '202611', '2026-11-01', '1999-12', '', 'x'])(
  'month %j is refused',
  async (month) => {
    const answer = await tenant.get(`${PATH}?month=${encodeURIComponent(month)}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  },
);

test('a month given twice and an unknown parameter are refused', async () => {
  expect((await tenant.get(`${PATH}?month=2026-11&month=2026-10`)).status).toBe(400);
  expect((await tenant.get(`${PATH}?year=2026`)).status).toBe(400);
});

test('a time zone is a name of the IANA database, and null is UTC', async () => {
  const set = async (timeZone: unknown) => await tenant.patch('/tenant/me/settings', { timeZone });
  for (const bad of ['Mars/Olympus', '+05:30', '', 'x'.repeat(10_000), 5]) {
    expect([bad, (await set(bad)).status]).toEqual([bad, 400]);
  }
  expect((await set('America/New_York')).body).toMatchObject({ timeZone: 'America/New_York' });
  expect((await tenant.get<Statistics>(`${PATH}?month=2026-11`)).body).toMatchObject({
    timeZone: 'America/New_York',
    from: '2026-11-01T04:00:00.000Z',
    to: '2026-12-01T05:00:00.000Z',
  });
  expect((await set(null)).body).toMatchObject({ timeZone: 'UTC' });
});
