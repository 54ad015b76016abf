import { randomUUID } from 'node:crypto';
import { findOutgoingDelivery, openDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { outboxRoom } from '../../../db/reconcile/queue-unfinished.ts';
import type { Json } from '../../api-client.ts';
import { createTenant, WEBHOOK_URL } from '../../factories/tenant.ts';
import { useApi, useTenantPerTest, useTenant } from '../../use-api.ts';
import { DELIVERIES, TEST_WEBHOOK, tenantWithHook, attempted, testEvent } from './webhook-fixtures.ts';

const { api } = useApi();

describe('POST /tenant/me/webhook/test', () => {
  const tenant = useTenantPerTest(api, { webhookUrl: WEBHOOK_URL });

  describe('202', () => {
    test('an event of type test is on its way, and its workflow is told', async () => {
      const answer = await tenant.post<WebhookDelivery>(TEST_WEBHOOK);
      expect(answer).toMatchObject({
        status: 202,
        body: { eventType: 'test', resourceId: tenant.id, status: 'PENDING', attempts: 0, attemptLog: [] },
      });
      expect(api.outbox.at(-1)).toMatchObject({ workflow: 'webhookDelivery', subjectId: answer.body.id });
      const delivery = await findOutgoingDelivery(api.db.pool, answer.body.id);
      const opened = delivery && (await openDelivery(api.db, delivery, new Date()));
      expect(JSON.parse(opened?.body.toString() ?? '')).toEqual({
        id: answer.body.id,
        type: 'test',
        createdAt: answer.body.createdAt,
        message: expect.any(String) as string,
      });
    });

    test('a repeat under the same Idempotency-Key is one event', async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await tenant.post(TEST_WEBHOOK, undefined, { headers });
      const second = await tenant.post(TEST_WEBHOOK, undefined, { headers });
      expect(second.body).toEqual(first.body);
      expect((await tenant.get(DELIVERIES)).body).toHaveLength(1);
    });
  });

  test('400: a body with a field is refused', async () => {
    const answer = await tenant.post(TEST_WEBHOOK, { url: 'https://elsewhere.example' });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/url' }] } });
  });

  test('401: without a key', async () => {
    expect((await api.request('POST', TEST_WEBHOOK)).status).toBe(401);
  });

  test('403: only a key of role ADMIN may', async () => {
    const compliance = await tenant.as('COMPLIANCE');
    expect((await compliance.post(TEST_WEBHOOK)).status).toBe(403);
  });

  describe('409', () => {
    test('there is no webhook URL', async () => {
      const silent = await createTenant(api);
      expect(await silent.post(TEST_WEBHOOK)).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect((await silent.get(DELIVERIES)).body).toEqual([]);
    });

    test('the endpoint is switched off', async () => {
      await api.db.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
      expect(await tenant.post(TEST_WEBHOOK)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    });
  });
});

describe('GET /tenant/me/webhook-deliveries', () => {
  let [oldest, middle, newest]: WebhookDelivery[] = [];
  let transactionId = '';

  const RETRY_AT = new Date('2026-11-21T10:00:00.000Z');

  const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });
  beforeAll(async () => {
    oldest = await testEvent(tenant);
    middle = await testEvent(tenant);
    transactionId = await cancelledTransaction();
    newest = (await list('?_kind=transaction')).body[0];
    await attempted(api, id(oldest), { statusCode: 500, retryAt: RETRY_AT });
    await attempted(api, id(oldest), { statusCode: 200 });
    await attempted(api, id(middle), { statusCode: 503, retryAt: RETRY_AT });
  });

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
});

describe('GET /tenant/me/webhook-deliveries/{id}', () => {
  test('200: an observer reads the delivery with its attempts in order', async () => {
    const tenant = await tenantWithHook(api);
    const { id } = await testEvent(tenant);
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      await attempted(api, id, { statusCode: 500, retryAt: new Date() });
    }
    const observer = await tenant.as('OBSERVER');
    const answer = await observer.get<WebhookDelivery>(`${DELIVERIES}/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, status: 'FAILED', attempts: 11 });
    expect(answer.body.attemptLog.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('401: without a key', async () => {
    expect((await api.request('GET', `${DELIVERIES}/${randomUUID()}`)).status).toBe(401);
  });

  test("404: another tenant's delivery, one that does not exist and what is no id look alike", async () => {
    const { id } = await testEvent(await tenantWithHook(api));
    const stranger = await tenantWithHook(api);
    const answers = await Promise.all(
      [id, randomUUID(), 'latest'].map(async (other) => await stranger.get(`${DELIVERIES}/${other}`)),
    );
    expect(answers.map((answer) => [answer.status, answer.body['code']])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
  });
});

describe('POST /tenant/me/webhook-deliveries/{id}/redeliver', () => {
  const tenant = useTenantPerTest(api, { webhookUrl: WEBHOOK_URL });

  const redeliver = async (id: string, options = {}) =>
    await tenant.post<WebhookDelivery>(`${DELIVERIES}/${id}/redeliver`, undefined, options);
  const entriesOf = (id: string) => api.outbox.filter((entry) => entry.subjectId === id);

  describe('202', () => {
    test.each([
      ['DELIVERED', { statusCode: 200 }],
      ['FAILED', { statusCode: 500, retryAt: new Date('2099-01-01') }],
      ['GAVE_UP', { statusCode: 500 }],
    ])(
      'one that is %s is due now, counts on, and has a schedule that begins anew',
      async (status, outcome) => {
        const { id, createdAt } = await testEvent(tenant);
        await attempted(api, id, outcome);
        expect((await tenant.get(`${DELIVERIES}/${id}`)).body['status']).toBe(status);
        const before = Date.now();
        const answer = await redeliver(id);
        expect(answer).toMatchObject({
          status: 202,
          body: { id, createdAt, status: 'PENDING', attempts: 1, lastError: null, finishedAt: null },
        });
        expect(answer.body.attemptLog).toHaveLength(1);
        const dueMs = Date.parse(answer.body.nextAttemptAt ?? '');
        expect(dueMs).toBeGreaterThanOrEqual(before);
        expect(dueMs).toBeLessThanOrEqual(Date.now());
        expect((await findOutgoingDelivery(api.db.pool, id))?.scheduleFrom).toBe(1);
        // One entry for the creation, one for this.
        expect(entriesOf(id)).toHaveLength(2);
        expect(entriesOf(id)[1]).toMatchObject({
          workflow: 'webhookDelivery',
          resourceId: tenant.id,
          summary: 'Webhook test',
        });
      },
    );

    test('one that waits for its first attempt stays as it is', async () => {
      const sent = await testEvent(tenant);
      const answer = await redeliver(sent.id);
      expect(answer).toMatchObject({ status: 202, body: sent });
      expect(entriesOf(sent.id)).toHaveLength(1);
    });

    test('a repeat under the same Idempotency-Key gets the first answer and sends nothing again', async () => {
      const { id } = await testEvent(tenant);
      await attempted(api, id, { statusCode: 200 });
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await redeliver(id, { headers });
      await attempted(api, id, { statusCode: 200 });
      const second = await redeliver(id, { headers });
      expect(second.headers.get('Idempotency-Replayed')).toBe('true');
      expect(second.body).toEqual(first.body);
      expect((await tenant.get(`${DELIVERIES}/${id}`)).body['status']).toBe('DELIVERED');
    });

    test('a key of role COMPLIANCE may', async () => {
      const { id } = await testEvent(tenant);
      const compliance = await tenant.as('COMPLIANCE');
      expect((await compliance.post(`${DELIVERIES}/${id}/redeliver`)).status).toBe(202);
    });
  });

  test('401: without a key', async () => {
    expect((await api.request('POST', `${DELIVERIES}/${randomUUID()}/redeliver`)).status).toBe(401);
  });

  test('403: an observer may not', async () => {
    const { id } = await testEvent(tenant);
    const observer = await tenant.as('OBSERVER');
    expect((await observer.post(`${DELIVERIES}/${id}/redeliver`)).status).toBe(403);
  });

  test("404: another tenant's delivery, which is left alone", async () => {
    const { id } = await testEvent(tenant);
    await attempted(api, id, { statusCode: 200 });
    const stranger = await createTenant(api, { webhookUrl: WEBHOOK_URL });
    expect((await stranger.post(`${DELIVERIES}/${id}/redeliver`)).status).toBe(404);
    expect((await stranger.post(`${DELIVERIES}/${randomUUID()}/redeliver`)).status).toBe(404);
    expect((await tenant.get(`${DELIVERIES}/${id}`)).body['status']).toBe('DELIVERED');
  });

  describe('409', () => {
    test('there is no webhook URL; nothing changes', async () => {
      const { id } = await testEvent(tenant);
      await attempted(api, id, { statusCode: 200 });
      await tenant.patch('/tenant/me', { webhookUrl: null });
      expect(await redeliver(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect((await tenant.get(`${DELIVERIES}/${id}`)).body['status']).toBe('DELIVERED');
    });

    test('the endpoint is switched off', async () => {
      const { id } = await testEvent(tenant);
      await api.db.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
      expect(await redeliver(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    });
  });
});

describe('POST /tenant/me/webhook-deliveries/redeliver', () => {
  const REDELIVER = `${DELIVERIES}/redeliver`;
  const ALL = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };

  const tenant = useTenantPerTest(api, { webhookUrl: WEBHOOK_URL });

  const redeliver = async (body: Json, options = {}) => await tenant.post(REDELIVER, body, options);
  const read = async (id: string) => (await tenant.get<WebhookDelivery>(`${DELIVERIES}/${id}`)).body;

  /** One delivery of each status, made one after the other; their outbox rows are gone. */
  async function oneOfEach() {
    const pending = await testEvent(tenant);
    const delivered = await testEvent(tenant);
    const failed = await testEvent(tenant);
    const gaveUp = await testEvent(tenant);
    await attempted(api, delivered.id, { statusCode: 200 });
    await attempted(api, failed.id, { statusCode: 500, retryAt: new Date('2099-01-01') });
    await attempted(api, gaveUp.id, { statusCode: 500 });
    await api.db.pool.query('delete from outbox where tenant_id = $1', [tenant.id]);
    return { pending, delivered, failed, gaveUp };
  }

  /** As many that were given up, made in the same millisecond each `perMs`. */
  async function manyGivenUp(count: number, perMs: number): Promise<void> {
    await api.db.pool.query(
      `insert into webhook_deliveries (id, tenant_id, kind, resource_kind, resource_id, resource_version, body, status,
         attempts, last_error, created_at, finished_at)
       select gen_random_uuid(), $1, 'test', 'TENANT', $1, 1, '', 'GAVE_UP', 12, 'TIMEOUT',
         timestamptz '2026-11-01T00:00:00Z' + (n / $3::int) * interval '1 millisecond', now()
       from generate_series(0, $2::int - 1) n`,
      [tenant.id, count, perMs],
    );
  }

  interface Waiting {
    subject_id: string;
    resource_id: string;
    due_at: Date;
  }

  async function readOutbox(): Promise<Waiting[]> {
    const { rows } = await api.db.pool.query<Waiting>(
      `select subject_id, resource_id, due_at from outbox where tenant_id = $1 order by due_at`,
      [tenant.id],
    );
    return rows;
  }

  describe('202', () => {
    test('failed and given up ones are due again, with a whole schedule ahead; others stay as they are', async () => {
      const { pending, delivered, failed, gaveUp } = await oneOfEach();
      const before = await Promise.all([pending, delivered].map(async ({ id }) => await read(id)));
      const outbox = api.outbox.length;
      expect(await redeliver(ALL)).toMatchObject({ status: 202, body: { count: 2, nextFrom: null } });
      for (const { id, createdAt } of [failed, gaveUp]) {
        const again = { id, createdAt, status: 'PENDING', attempts: 1, lastError: null, finishedAt: null };
        expect(await read(id)).toMatchObject(again);
        expect((await findOutgoingDelivery(api.db.pool, id))?.scheduleFrom).toBe(1);
      }
      expect(await Promise.all([pending, delivered].map(async ({ id }) => await read(id)))).toEqual(before);
      // The relay tells the workflows, the oldest first, when each is due.
      expect(api.outbox).toHaveLength(outbox);
      const waiting = await readOutbox();
      expect(waiting.map((row) => row.subject_id)).toEqual([failed.id, gaveUp.id]);
      // By it operators find the webhook.
      expect(waiting.map((row) => row.resource_id)).toEqual([tenant.id, tenant.id]);
      expect((await read(gaveUp.id)).nextAttemptAt).toBe(waiting[1]?.due_at.toISOString());
      expect(Number(waiting[1]?.due_at) - Number(waiting[0]?.due_at)).toBe(20);
    });

    test.each([
      ['DELIVERED', ['delivered']],
      [['FAILED'], ['failed']],
      [
        ['GAVE_UP', 'DELIVERED', 'FAILED'],
        ['delivered', 'failed', 'gaveUp'],
      ],
    ] as const)('status %j takes these alone', async (status, taken) => {
      const made = await oneOfEach();
      expect((await redeliver({ ...ALL, status })).body).toEqual({ count: taken.length, nextFrom: null });
      expect((await readOutbox()).map((row) => row.subject_id)).toEqual(taken.map((name) => made[name].id));
    });

    test('both ends of the range belong to it', async () => {
      const { delivered, failed, gaveUp } = await oneOfEach();
      const status = ['DELIVERED', 'FAILED', 'GAVE_UP'];
      const before = new Date(Date.parse(failed.createdAt) - 1).toISOString();
      expect(new Set([delivered, failed, gaveUp].map(({ createdAt }) => createdAt)).size).toBe(3);
      expect((await redeliver({ from: delivered.createdAt, to: before, status })).body['count']).toBe(1);
      expect((await redeliver({ from: failed.createdAt, to: failed.createdAt, status })).body['count']).toBe(
        1,
      );
      expect((await readOutbox()).map((row) => row.subject_id)).toEqual([delivered.id, failed.id]);
    });

    test('nothing there is a count of 0', async () => {
      expect(await redeliver(ALL)).toMatchObject({ status: 202, body: { count: 0, nextFrom: null } });
    });

    test('those without a body any more are left out', async () => {
      const { failed, gaveUp } = await oneOfEach();
      await api.db.pool.query('update webhook_deliveries set body = null where id = $1', [gaveUp.id]);
      expect((await redeliver(ALL)).body['count']).toBe(1);
      expect((await readOutbox()).map((row) => row.subject_id)).toEqual([failed.id]);
    });

    test('a long range goes on at nextFrom, misses none that was made in the same millisecond, and queues up', async () => {
      await manyGivenUp(10_300, 300);
      const first = await redeliver(ALL);
      // 33 milliseconds hold 9,900: the 34th is taken whole.
      expect(first.body).toEqual({ count: 10_200, nextFrom: '2026-11-01T00:00:00.034Z' });
      const second = await redeliver({ ...ALL, from: first.body['nextFrom'] });
      expect(second.body).toEqual({ count: 100, nextFrom: null });
      const dueMs = (await readOutbox()).map((row) => row.due_at.getTime());
      expect(dueMs).toHaveLength(10_300);
      const inOneSecond = dueMs.map((start, index) => (dueMs[index + 51] ?? Infinity) - start);
      expect(Math.min(...inOneSecond)).toBeGreaterThanOrEqual(980);
      // What waits for its turn does not keep the sweep from finding rows without a workflow.
      expect(await outboxRoom(api.db.pool)).toBeGreaterThan(5_000);
    });

    test('of two calls at once each delivery belongs to one', async () => {
      await manyGivenUp(500, 10);
      const answers = await Promise.all([redeliver(ALL), redeliver(ALL), redeliver(ALL)]);
      expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202]);
      expect(answers.reduce((sum, answer) => sum + Number(answer.body['count']), 0)).toBe(500);
      expect(new Set((await readOutbox()).map((row) => row.subject_id)).size).toBe(500);
      expect(await readOutbox()).toHaveLength(500);
    });

    test('a repeat under the same Idempotency-Key gets the first answer and takes nothing', async () => {
      const { failed } = await oneOfEach();
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await redeliver(ALL, { headers });
      await attempted(api, failed.id, { statusCode: 500 });
      const second = await redeliver(ALL, { headers });
      expect(second).toMatchObject({ status: 202, body: first.body });
      expect(second.headers.get('Idempotency-Replayed')).toBe('true');
      expect((await read(failed.id)).status).toBe('GAVE_UP');
    });

    test('a key of role COMPLIANCE may', async () => {
      expect((await (await tenant.as('COMPLIANCE')).post(REDELIVER, ALL)).status).toBe(202);
    });

    test("another tenant's deliveries are left alone", async () => {
      const { gaveUp } = await oneOfEach();
      const stranger = await tenantWithHook(api);
      expect((await stranger.post(REDELIVER, ALL)).body['count']).toBe(0);
      expect((await read(gaveUp.id)).status).toBe('GAVE_UP');
    });
  });

  test.each([
    [{ to: ALL.to }, '/from', 'required'],
    [{ from: ALL.from }, '/to', 'required'],
    [{ from: ALL.to, to: ALL.from }, '/to', 'before_from'],
    [{ ...ALL, from: 'yesterday' }, '/from', 'invalid_format'],
    [{ ...ALL, status: 'PENDING' }, '/status', 'invalid_type'],
    [{ ...ALL, status: ['FAILED', 'PENDING'] }, '/status/1', 'invalid_value'],
    [{ ...ALL, status: [] }, '/status', 'too_small'],
    [{ ...ALL, limit: 5 }, '/limit', 'unknown_field'],
  ])('400: %j', async (body, pointer, code) => {
    expect(await redeliver(body)).toMatchObject({ status: 400, body: { errors: [{ pointer, code }] } });
  });

  test('400: no body', async () => {
    expect((await tenant.post(REDELIVER)).status).toBe(400);
  });

  test('401: without a key', async () => {
    expect((await api.request('POST', REDELIVER, { body: ALL })).status).toBe(401);
  });

  test('403: an observer may not', async () => {
    expect((await (await tenant.as('OBSERVER')).post(REDELIVER, ALL)).status).toBe(403);
  });

  describe('409', () => {
    test('there is no webhook URL; nothing changes', async () => {
      const { gaveUp } = await oneOfEach();
      await tenant.patch('/tenant/me', { webhookUrl: null });
      expect(await redeliver(ALL)).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect((await read(gaveUp.id)).status).toBe('GAVE_UP');
      expect(await (await createTenant(api)).post(REDELIVER, ALL)).toMatchObject({ status: 409 });
    });

    test('the endpoint is switched off', async () => {
      await api.db.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
      expect(await redeliver(ALL)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    });
  });

  test('422: the Idempotency-Key of another request', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    await redeliver(ALL, { headers });
    const answer = await redeliver({ ...ALL, status: 'FAILED' }, { headers });
    expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });
});
