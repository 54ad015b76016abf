import { findBrakeOnWay } from '../../../db/brakes/find-brake.ts';
import type { Json } from '../../api-client.ts';
import { bulkDeliveries } from '../../factories/bulk-rows.ts';
import { addEntity, mergeEntity, unmergeEntity } from '../../factories/directory.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createBody } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

const BODY = { kind: 'OUTGOING', reason: 'The hot wallet of Anna Keller is examined.' };
const NOBODY = '019aa000-0000-7000-8000-000000000001';

test('the reason is stored encrypted, and read back', async () => {
  const { body } = await tenant.post<{ id: string }>('/tenant/me/brakes', BODY);
  expect(body).toMatchObject({ ...BODY, counterpartyEntityId: null, state: 'ON', waiting: 0 });
  const { rows } = await database.pool.query<{ row: string }>('select b::text as row from brakes b');
  expect(JSON.stringify(rows)).not.toContain(Buffer.from('Keller').toString('hex'));
  expect((await tenant.get<Json[]>('/tenant/me/brakes')).body).toEqual([body]);
  await tenant.post(`/tenant/me/brakes/${body.id}/release`);
});

test('a second brake of the kind is refused with the id of the first, one for a counterparty is not', async () => {
  const { body } = await tenant.post<{ id: string }>('/tenant/me/brakes', BODY);
  expect(await tenant.post('/tenant/me/brakes', BODY)).toMatchObject({
    status: 409,
    body: { code: 'conflict', id: body.id },
  });
  const { body: me } = await tenant.get<Json[]>(`/entities?q=${encodeURIComponent(tenant.name)}`);
  const one = { ...BODY, counterpartyEntityId: me[0]?.['id'] };
  expect((await tenant.post('/tenant/me/brakes', one)).status).toBe(201);
  expect((await tenant.post('/tenant/me/brakes', one)).status).toBe(409);
  const released = await tenant.post<Json>(`/tenant/me/brakes/${body.id}/release`, {});
  expect(released.body).toMatchObject({ perSecond: 20, releasedBy: { kind: 'API_KEY' } });
  expect(await tenant.post(`/tenant/me/brakes/${body.id}/release`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_transition', allowed: [] },
  });
});

test.each([
  [{ ...BODY, kind: 'EVERYTHING' }, '/kind'],
  [{ kind: 'OUTGOING' }, '/reason'],
  [{ ...BODY, reason: '' }, '/reason'],
  [{ ...BODY, counterpartyEntityId: NOBODY }, '/counterpartyEntityId'],
  [{ ...BODY, kind: 'WEBHOOKS', counterpartyEntityId: NOBODY }, '/counterpartyEntityId'],
  [{ ...BODY, tenantId: NOBODY }, '/tenantId'],
])('%j is refused at %s', async (body, pointer) => {
  const other = await createTenant(api);
  expect(await other.post('/tenant/me/brakes', body)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer }] },
  });
});

test.each([0, 101, 1.5])('a rate of %d a second is refused', async (perSecond) => {
  expect(await tenant.post(`/tenant/me/brakes/${NOBODY}/release`, { perSecond })).toMatchObject({
    status: 400,
  });
});

test('only an ADMIN sets and ends brakes; whoever reads sees them, but those of nobody else', async () => {
  const other = await createTenant(api);
  const { body } = await other.post<{ id: string }>('/tenant/me/brakes', BODY);
  const officer = await other.as('COMPLIANCE');
  expect((await officer.post('/tenant/me/brakes', BODY)).status).toBe(403);
  expect((await officer.post(`/tenant/me/brakes/${body.id}/release`)).status).toBe(403);
  expect((await officer.get<Json[]>('/tenant/me/brakes')).body).toHaveLength(1);
  expect((await tenant.post(`/tenant/me/brakes/${body.id}/release`)).status).toBe(404);
  expect((await tenant.get<Json[]>(`/tenant/me/brakes?q=${body.id}`)).body).toEqual([]);
});

test('an INCOMING record that the tenant makes itself is not held back', async () => {
  const other = await createTenant(api);
  await other.post('/tenant/me/brakes', BODY);
  await other.post('/tenant/me/brakes', { ...BODY, kind: 'INCOMING' });
  expect((await other.post('/transactions', createBody({ direction: 'INCOMING' }))).body).toMatchObject({
    status: 'PENDING',
    subStatus: null,
  });
});

test('a brake towards a duplicate holds for its master too, and for the duplicate alone once the merge is taken back', async () => {
  const other = await createTenant(api);
  const [duplicate, master] = [await addEntity(api, 'Braked House'), await addEntity(api, 'Other House')];
  await mergeEntity(api, duplicate, master);
  const { status, body } = await other.post<{ id: string }>('/tenant/me/brakes', {
    ...BODY,
    counterpartyEntityId: duplicate,
  });
  expect([status, body]).toEqual([201, expect.objectContaining({ counterpartyEntityId: duplicate })]);
  const way = { senderTenantId: other.id, receiverTenantId: null, senderEntityId: null };
  const brakes = async () => [
    await findBrakeOnWay(database.pool, { ...way, receiverEntityId: duplicate }),
    await findBrakeOnWay(database.pool, { ...way, receiverEntityId: master }),
  ];
  expect(await brakes()).toEqual([body.id, body.id]);
  await unmergeEntity(api, duplicate);
  expect(await brakes()).toEqual([body.id, undefined]);
});

test('a list says of each brake what waits for it, as the brake alone does', async () => {
  const [own, other] = [await createTenant(api), await createTenant(api)];
  const brakes = new Map<string, string>();
  for (const kind of ['OUTGOING', 'INCOMING', 'WEBHOOKS'])
    brakes.set(kind, String((await own.post<Json>('/tenant/me/brakes', { ...BODY, kind })).body['id']));
  for (let count = 0; count < 3; count += 1)
    expect((await own.post('/transactions', createBody())).body).toMatchObject({ subStatus: 'PAUSED' });
  await api.db.pool.query(
    `update transactions set paused_by = $1 where id = (select id from transactions where tenant_id = $2 order by id limit 1)`,
    [brakes.get('INCOMING'), own.id],
  );
  const webhooks = async (count: number, createdAt: string) =>
    await bulkDeliveries(api.db.pool, [own.id, other.id], {
      count,
      wakeAt: 'now()',
      createdAt,
      finishedAt: 'null::timestamptz',
    });
  await webhooks(8, `now() - interval '1 minute'`);
  const figures = (list: Json[]) => list.map(({ kind, waiting }) => [kind, waiting]);
  const listed = async () =>
    figures((await own.get<Json[]>('/tenant/me/brakes?_sort=setAt&_order=ASC')).body);
  const expected = [
    ['OUTGOING', 2],
    ['INCOMING', 1],
    ['WEBHOOKS', 4],
  ];
  expect(await listed()).toEqual(expected);
  const id = brakes.get('WEBHOOKS');
  const released = await own.post<Json>(`/tenant/me/brakes/${id}/release`);
  expect(released.body).toMatchObject({ state: 'RELEASING', waiting: 4 });
  await webhooks(2, `now() + interval '1 minute'`);
  expect(await listed()).toEqual(expected);
});
