import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import type { TestApi } from '../../api-client.ts';
import type { TestTenant } from '../../factories/tenant.ts';
import { attempted, DELIVERIES, startWebhookApi, tenantWithHook, testEvent } from './webhook-fixtures.ts';

let api: TestApi;
let tenant: TestTenant;
let [oldest, middle, newest]: WebhookDelivery[] = [];
let transactionId = '';

const RETRY_AT = new Date('2026-11-21T10:00:00.000Z');

beforeAll(async () => {
  api = await startWebhookApi();
  tenant = await tenantWithHook(api);
  oldest = await testEvent(tenant);
  middle = await testEvent(tenant);
  transactionId = await cancelledTransaction();
  newest = (await list('?_kind=transaction')).body[0];
  await attempted(api, id(oldest), { statusCode: 500, retryAt: RETRY_AT });
  await attempted(api, id(oldest), { statusCode: 200 });
  await attempted(api, id(middle), { statusCode: 503, retryAt: RETRY_AT });
});
afterAll(async () => await api.stop());

const id = (delivery: WebhookDelivery | undefined) => delivery?.id ?? '';
const list = async (query = '') => await tenant.get<WebhookDelivery[]>(DELIVERIES + query);
const ids = async (query: string) => (await list(query)).body.map((delivery) => delivery.id);

async function cancelledTransaction(): Promise<string> {
  const created = await tenant.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '1',
    blockchainInfo: {
      destination: '0x52908400098527886E0F7030069857D2E4169EE7',
      destinationType: 'CUSTODIAL',
    },
    originator: { name: 'Zuzanna Canary' },
  });
  await tenant.patch(`/transactions/${created.body.id}`, { status: 'CANCELLED' });
  return created.body.id;
}

describe('200', () => {
  test('newest first, with attempts and what is next, without bodies', async () => {
    const answer = await list();
    expect(answer.headers.get('X-Total-Count')).toBe('3');
    expect(answer.body.map((delivery) => delivery.id)).toEqual([newest, middle, oldest].map(id));
    expect(answer.body[0]).toMatchObject({
      eventType: 'transaction',
      resourceId: transactionId,
      resourceVersion: 2,
      status: 'PENDING',
      attempts: 0,
      attemptLog: [],
    });
    expect(answer.body[1]).toMatchObject({
      eventType: 'test',
      resourceId: tenant.id,
      status: 'FAILED',
      lastError: 'HTTP_STATUS',
      nextAttemptAt: RETRY_AT.toISOString(),
      finishedAt: null,
    });
    expect(answer.body[2]).toEqual({
      id: id(oldest),
      eventType: 'test',
      resourceId: tenant.id,
      resourceVersion: 1,
      status: 'DELIVERED',
      attempts: 2,
      lastError: null,
      nextAttemptAt: null,
      createdAt: oldest?.createdAt,
      finishedAt: '2026-11-20T10:00:00.165Z',
      attemptLog: [
        {
          attempt: 1,
          startedAt: '2026-11-20T10:00:00.123Z',
          statusCode: 500,
          durationMs: 42,
          error: 'HTTP_STATUS',
        },
        { attempt: 2, startedAt: '2026-11-20T10:00:00.123Z', statusCode: 200, durationMs: 42, error: null },
      ],
    });
    expect(JSON.stringify(answer.body)).not.toContain('Canary');
  });

  test('filters by status, kind, record, creation and id', async () => {
    expect(await ids('?_status=FAILED')).toEqual([id(middle)]);
    expect(await ids('?_status=FAILED,DELIVERED')).toEqual([id(middle), id(oldest)]);
    expect(await ids('?_kind=test')).toEqual([id(middle), id(oldest)]);
    expect(await ids(`?_resourceId=${transactionId}`)).toEqual([id(newest)]);
    expect(await ids(`?_to=${middle?.createdAt}`)).toEqual([id(middle), id(oldest)]);
    expect(await ids(`?_from=${middle?.createdAt}&_to=${middle?.createdAt}`)).toEqual([id(middle)]);
    expect(await ids(`?q=${id(middle).toUpperCase()}`)).toEqual([id(middle)]);
    expect(await ids(`?q=${transactionId.slice(0, 30)}`)).toEqual([id(newest)]);
    expect(await ids('?q=%25')).toEqual([]);
  });

  test('sorts and pages', async () => {
    expect(await ids('?_sort=createdAt&_end=2')).toEqual([id(oldest), id(middle)]);
    expect(await ids('?_start=2')).toEqual([id(oldest)]);
    expect(await ids('?_sort=finishedAt')).toEqual([id(oldest), id(middle), id(newest)]);
    expect(await ids('?_sort=status&_order=DESC')).toEqual([id(newest), id(middle), id(oldest)]);
  });

  test('an observer may look, and leave the count out', async () => {
    const observer = await tenant.as('OBSERVER');
    const answer = await observer.get(DELIVERIES, { headers: { Prefer: 'count=none' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.has('X-Total-Count')).toBe(false);
  });

  test('another tenant sees nothing of it', async () => {
    const other = await tenantWithHook(api);
    expect((await other.get(`${DELIVERIES}?_resourceId=${transactionId}`)).body).toEqual([]);
  });
});

test.each([
  '_status=SENT',
  '_kind=email',
  '_resourceId=7',
  '_from=yesterday',
  '_sort=body',
  '_end=101',
  '_secret=1',
])('400: %s is no query', async (query) => {
  const answer = await tenant.get<{ errors: { pointer: string }[] }>(`${DELIVERIES}?${query}`);
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0]?.pointer).toBe(`/${query.split('=')[0]}`);
});

test('401: without a key', async () => {
  expect((await api.request('GET', DELIVERIES)).status).toBe(401);
});
