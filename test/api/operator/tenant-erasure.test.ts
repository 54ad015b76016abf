import { countKept } from '../../../db/tenant-erasures/count-kept.ts';
import { beginErasure } from '../../../db/tenant-erasures/begin-erasure.ts';
import type { OperatorTenant } from '../../../domain/tenants/schema.ts';
import type { AuditEntry } from '../../../domain/audit/schema.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { erasuresOf, NAMED_OPERATORS, type Erasure } from '../../factories/tenant-erasure.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi({ config: { OPERATOR_KEYS: NAMED_OPERATORS } });
const tenant = useTenantPerTest(api);
const erasures = erasuresOf(api);
const { plan, approve, callOff, read, fireTimer } = erasures;

const DAY_MS = 24 * 3_600_000;
const NOBODY = '01a200b0-1c3a-7a10-8f21-5d3c9e0b7a99';

/** A record that has to be kept for years. */
async function keepSomething({ id, isHeld = false }: { id: TestTenant; isHeld?: boolean }): Promise<string> {
  const made = await createTransaction(id);
  if (isHeld) await id.put(`/transactions/${made.id}/legal-hold`, { hold: true, reason: 'A case.' });
  return made.id;
}

describe('the plan', () => {
  test('is 30 days ahead, waits for a second operator, and changes nothing of the tenant', async () => {
    const { status, body } = await plan(tenant.id);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      tenantId: tenant.id,
      state: 'PLANNED',
      reason: 'The contract has ended.',
      override: false,
      plannedBy: 'ada',
      approvedBy: null,
      calledOffBy: null,
      startedAt: null,
      finishedAt: null,
      underRetention: 0,
      legalHolds: 0,
      erased: { transactions: 0, claims: 0, verifications: 0 },
    });
    expect(Date.parse(body.plannedFor) - Date.parse(body.plannedAt)).toBe(30 * DAY_MS);
    expect((await read(tenant.id)).body).toEqual(body);
    expect((await tenant.get('/tenant/me')).status).toBe(200);
    const { rows } = await database.pool.query<{ row: string }>(
      'select e::text as row from tenant_erasures e',
    );
    expect(JSON.stringify(rows)).not.toContain('contract');
  });

  test('is 409 a second time, with the id of the first, and 404 for a tenant that is not there', async () => {
    const { body } = await plan(tenant.id);
    expect(await plan(tenant.id, {}, 'ben')).toMatchObject({
      status: 409,
      body: { code: 'conflict', id: body.id },
    });
    expect(await plan(NOBODY)).toMatchObject({ status: 404 });
    expect(await read(NOBODY)).toMatchObject({ status: 404 });
    expect(await approve(NOBODY)).toMatchObject({ status: 404 });
    expect(await callOff(NOBODY)).toMatchObject({ status: 404 });
    expect(await fireTimer(NOBODY)).toMatchObject({ status: 404 });
  });

  test.each([
    [{ reason: '' }, '/reason'],
    [{ reason: 'x'.repeat(2_001) }, '/reason'],
    [{ reason: null }, '/reason'],
    [{ override: 'yes' }, '/override'],
    [{ confirm: true }, '/confirm'],
  ])('%j is refused, and nothing is planned', async (body, pointer) => {
    expect(await plan(tenant.id, body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer }] },
    });
    expect((await read(tenant.id)).status).toBe(404);
  });

  test('takes a reason of 2,000 characters', async () => {
    const reason = 'ü'.repeat(2_000);
    expect(await plan(tenant.id, { reason })).toMatchObject({ status: 201, body: { reason } });
  });

  test('is 409 where records have to be kept, with their numbers, unless it overrides that', async () => {
    await keepSomething({ id: tenant });
    await keepSomething({ id: tenant, isHeld: true });
    expect(await plan(tenant.id)).toMatchObject({
      status: 409,
      body: { code: 'conflict', underRetention: 2, legalHolds: 1 },
    });
    expect(await plan(tenant.id, { override: true })).toMatchObject({
      status: 201,
      body: { override: true, underRetention: 2, legalHolds: 1 },
    });
  });

  test('needs an operator whose key has a name, as the approval does; any may call it off', async () => {
    const { operatorKey } = api;
    const path = `/operator/tenants/${tenant.id}/erasure`;
    const body = { reason: 'x' };
    expect(await api.request('POST', path, { operatorKey, body })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await read(tenant.id)).status).toBe(404);
    await plan(tenant.id);
    expect(await api.request('POST', `${path}/approve`, { operatorKey })).toMatchObject({ status: 403 });
    expect(await api.request('DELETE', path, { operatorKey })).toMatchObject({
      status: 200,
      body: { state: 'CALLED_OFF', calledOffBy: 'operator' },
    });
  });
});

describe('the approval', () => {
  test('comes from another operator, once', async () => {
    await plan(tenant.id);
    expect(await approve(tenant.id, undefined, 'ada')).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await read(tenant.id)).body).toMatchObject({ state: 'PLANNED', approvedBy: null });
    expect(await approve(tenant.id)).toMatchObject({
      status: 200,
      body: { state: 'APPROVED', approvedBy: 'ben' },
    });
    for (const by of ['ben', 'cyd'] as const)
      expect(await approve(tenant.id, {}, by)).toMatchObject({
        status: 409,
        body: { code: 'invalid_transition', allowed: [] },
      });
  });

  test('of one that overrides says so, and of another one does not', async () => {
    await keepSomething({ id: tenant });
    await plan(tenant.id, { override: true });
    expect(await approve(tenant.id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await approve(tenant.id, { override: false })).toMatchObject({ status: 409 });
    expect(await approve(tenant.id, { override: 1 })).toMatchObject({ status: 400 });
    expect(await approve(tenant.id, { override: true })).toMatchObject({
      status: 200,
      body: { state: 'APPROVED', override: true, underRetention: 1 },
    });
    const empty = await createTenant(api);
    await plan(empty.id);
    expect(await approve(empty.id, { override: true })).toMatchObject({ status: 409 });
  });

  test('is 409 once there are records that have to be kept', async () => {
    await plan(tenant.id);
    await keepSomething({ id: tenant });
    expect(await approve(tenant.id)).toMatchObject({ status: 409, body: { underRetention: 1 } });
    expect((await read(tenant.id)).body).toMatchObject({ state: 'PLANNED' });
  });
});

describe('calling off', () => {
  test('ends a plan before and after the approval, and leaves room for another', async () => {
    await plan(tenant.id);
    expect(await callOff(tenant.id)).toMatchObject({
      status: 200,
      body: { state: 'CALLED_OFF', calledOffBy: 'cyd' },
    });
    expect(await callOff(tenant.id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await approve(tenant.id)).toMatchObject({ status: 409 });
    expect(await fireTimer(tenant.id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const { body: second } = await plan(tenant.id);
    await approve(tenant.id);
    expect((await callOff(tenant.id, 'ada')).body).toMatchObject({ id: second.id, state: 'CALLED_OFF' });
    expect((await tenant.get('/tenant/me')).status).toBe(200);
  });
});

test('the day of an approved erasure comes with the timer of a sandbox; another one waits for its approval', async () => {
  const { body: planned } = await plan(tenant.id);
  const fired = await fireTimer(tenant.id);
  expect(fired).toMatchObject({ status: 202, body: { state: 'PLANNED' } });
  expect(Date.parse(fired.body.plannedFor)).toBeLessThan(Date.parse(planned.plannedFor) - 29 * DAY_MS);
  expect(await beginErasure(api.db, planned.id, new Date())).toMatchObject({ next: 'OVER' });
  await approve(tenant.id);
  expect(await beginErasure(api.db, planned.id, new Date(planned.plannedAt))).toMatchObject({ next: 'WAIT' });
  expect((await tenant.get('/tenant/me')).status).toBe(200);
  expect(await beginErasure(api.db, planned.id, new Date(Date.now() + 1_000))).toMatchObject({
    next: 'ERASE',
  });
});

describe('once it has begun', () => {
  beforeEach(async () => {
    const { body } = await plan(tenant.id);
    await approve(tenant.id);
    await fireTimer(tenant.id);
    await beginErasure(api.db, body.id, new Date(Date.now() + 1_000));
  });

  test('keys are unknown, the tenant is 404 to operators, and nothing can be called off', async () => {
    expect(await tenant.get('/tenant/me')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(await tenant.post('/transactions', {})).toMatchObject({ status: 401 });
    const { operatorKey } = api;
    const of = `/operator/tenants/${tenant.id}`;
    for (const [method, path, body] of [
      ['GET', of],
      ['PATCH', of, { name: 'Back again' }],
      ['POST', `${of}/resume`],
      ['POST', `${of}/suspend`],
      ['GET', `${of}/api-keys`],
      ['POST', `${of}/api-keys`, {}],
      ['POST', `${of}/brakes`, { kind: 'INCOMING', reason: 'x' }],
      ['POST', `${of}/erasure`, { reason: 'x' }],
    ] as [string, string, Json?][]) {
      const answer = await api.request(method, path, {
        operatorKey: path.endsWith('/erasure') ? (NAMED_OPERATORS[0]?.key ?? '') : operatorKey,
        ...(body && { body }),
      });
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
    expect((await read(tenant.id)).body).toMatchObject({ state: 'RUNNING' });
    expect(await callOff(tenant.id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await approve(tenant.id)).toMatchObject({ status: 404 });
    expect(await fireTimer(tenant.id)).toMatchObject({ status: 409 });
  });

  test('no name leads to it, and another tenant can have it', async () => {
    const { operatorKey } = api;
    const q = encodeURIComponent(tenant.name);
    const { body: listed } = await api.request<OperatorTenant[]>('GET', `/operator/tenants?q=${q}`, {
      operatorKey,
    });
    expect(listed).toEqual([]);
    const other = await createTenant(api);
    expect((await other.get(`/entities/lookup?name=${q}`)).status).toBe(404);
    expect((await createTenant(api, { name: tenant.name })).name).toBe(tenant.name);
  });
});

test('a run is refused where records have to be kept that nobody has overridden, and the tenant stays', async () => {
  const { body } = await plan(tenant.id);
  await approve(tenant.id);
  await fireTimer(tenant.id);
  await keepSomething({ id: tenant });
  expect(await beginErasure(api.db, body.id, new Date(Date.now() + 1_000))).toMatchObject({ next: 'OVER' });
  expect((await read(tenant.id)).body).toMatchObject({ state: 'REFUSED', underRetention: 1 });
  expect((await tenant.get('/tenant/me')).status).toBe(200);
  expect((await plan(tenant.id, { override: true })).status).toBe(201);
});

test('a legal hold that is set after the approval is overridden by nobody; one that comes after the beginning is too late', async () => {
  const held = await keepSomething({ id: tenant, isHeld: true });
  const { body } = await plan(tenant.id, { override: true });
  await approve(tenant.id, { override: true });
  await fireTimer(tenant.id);
  await keepSomething({ id: tenant, isHeld: true });
  expect(await beginErasure(api.db, body.id, new Date(Date.now() + 1_000))).toMatchObject({ next: 'OVER' });
  expect((await read(tenant.id)).body).toMatchObject({ state: 'REFUSED', legalHolds: 2 });

  const { body: again } = await plan(tenant.id, { override: true });
  await approve(tenant.id, { override: true });
  await fireTimer(tenant.id);
  expect(await beginErasure(api.db, again.id, new Date(Date.now() + 1_000))).toMatchObject({ next: 'ERASE' });
  const late = await tenant.put(`/transactions/${held}/legal-hold`, { hold: true, reason: 'late' });
  expect(late.status).toBe(401);
});

test('a legal hold that meets the beginning waits for it, and is refused', async () => {
  const id = await keepSomething({ id: tenant });
  const beginning = await database.pool.connect();
  await beginning.query('begin');
  await beginning.query('select 1 from tenants where id = $1 for update', [tenant.id]);
  const setting = tenant.put(`/transactions/${id}/legal-hold`, { hold: true, reason: 'now' });
  await eventually(
    async () =>
      (
        await database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rowCount,
    (count) => count === 1,
  );
  await beginning.query('update tenants set erased_at = now() where id = $1', [tenant.id]);
  await beginning.query('commit');
  beginning.release();
  expect((await setting).status).toBe(404);
  const { rows } = await database.pool.query('select legal_hold_at from transactions where id = $1', [id]);
  expect(rows).toEqual([{ legal_hold_at: null }]);
});

test('what is counted are records that are kept beyond the day', async () => {
  await createTransaction(tenant);
  const years = 5 * 366 * DAY_MS;
  const count = async (day: Date) =>
    (await countKept(database.pool, { tenantId: tenant.id, day })).underRetention;
  expect(await count(new Date())).toBe(1);
  expect(await count(new Date(Date.now() + years))).toBe(0);
  await tenant.patch('/tenant/me/settings', { retentionDays: 3_653 });
  expect(await count(new Date(Date.now() + years))).toBe(1);
  expect(await count(new Date(Date.now() + 2 * years))).toBe(0);
});

test('operators list all erasures, and the audit log has each step with the name of the key', async () => {
  const { body: first } = await plan(tenant.id);
  await callOff(tenant.id);
  const { body: second } = await plan(tenant.id, {}, 'ben');
  await approve(tenant.id, undefined, 'cyd');
  const list = async (query: string) =>
    (await erasures.call<Erasure[]>('ada', 'GET', `/operator/erasures?${query}`)).body.map(({ id }) => id);
  expect(await list(`_tenantId=${tenant.id}`)).toEqual([second.id, first.id]);
  expect(await list(`_tenantId=${tenant.id}&_sort=plannedAt&_order=ASC`)).toEqual([first.id, second.id]);
  expect(await list(`_tenantId=${tenant.id}&_state=APPROVED`)).toEqual([second.id]);
  expect(await list(`q=${tenant.id.toUpperCase()}`)).toEqual([second.id, first.id]);
  expect(await list(`q=${first.id}&_end=1`)).toEqual([first.id]);
  expect(await erasures.call('ada', 'GET', '/operator/erasures?_state=GONE')).toMatchObject({ status: 400 });
  const { body: log } = await erasures.call<AuditEntry[]>(
    'ada',
    'GET',
    `/operator/audit-log?_tenantId=${tenant.id}`,
  );
  const steps = log.filter(
    ({ operation }) => operation.endsWith('Erasure') && !/^(get|list)/.test(operation),
  );
  expect(steps.map(({ operation, operator }) => [operation, operator])).toEqual([
    ['approveErasure', 'cyd'],
    ['planErasure', 'ben'],
    ['callOffErasure', 'cyd'],
    ['planErasure', 'ada'],
  ]);
});

test('a plan under an Idempotency-Key is made once', async () => {
  const send = async () =>
    await api.request<Erasure>('POST', `/operator/tenants/${tenant.id}/erasure`, {
      operatorKey: NAMED_OPERATORS[0]?.key ?? '',
      body: { reason: 'x' },
      headers: { 'Idempotency-Key': `plan-${tenant.id}` },
    });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
});
