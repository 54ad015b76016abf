import { findBrakeOnWay } from '../../../db/brakes/find-brake.ts';
import { travelTokenOf } from '../../../db/trp/travel-tokens.ts';
import type { Wallet } from '../../../domain/wallets/schema.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { evmAddress } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const other = useTenant(api);

const ask = async (method: string, path: string, body?: unknown) =>
  await api.request(method, `/operator/entities${path}`, {
    operatorKey: api.operatorKey,
    body,
  });
const addEntity = async (name: string) =>
  String((await ask('POST', '', { name, type: 'exchange' })).body['id']);

const BLOCKED = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Begins what comes later while a row is being deleted, and ends the deletion once that waits for it. */
async function whileDeleting<T>(
  table: 'entities' | 'wallets',
  id: unknown,
  act: () => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query(`delete from ${table} where id = $1`, [id]);
    const acting = act();
    await eventually(
      async () => (await database.pool.query(BLOCKED)).rowCount,
      (count) => count === 1,
    );
    await client.query('commit');
    return await acting;
  } finally {
    client.release();
  }
}

test.each([
  ['PATCH', '', { policy: 'BLOCK' }],
  ['POST', '/steps', { kind: 'WARNED' }],
] as const)(
  '%s /counterparties/{id}%s of an entity that is being deleted is 404',
  async (method, path, body) => {
    const id = await addEntity(`Gone ${method}`);
    const answer = await whileDeleting('entities', id, async () =>
      method === 'PATCH'
        ? await tenant.patch<Json>(`/counterparties/${id}${path}`, body)
        : await tenant.post<Json>(`/counterparties/${id}${path}`, body),
    );
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  },
);

test('a brake on an entity that is being deleted is refused', async () => {
  const counterpartyEntityId = await addEntity('Gone brake');
  const body = { kind: 'OUTGOING', reason: 'Stop.', counterpartyEntityId };
  const answer = await whileDeleting('entities', counterpartyEntityId, async () =>
    tenant.post<Json>('/tenant/me/brakes', body),
  );
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/counterpartyEntityId' }] } });
});

test('an entity about which a tenant has noted a step, or set a brake, stays', async () => {
  const [warned, braked] = [await addEntity('Warned'), await addEntity('Braked')];
  expect((await tenant.post(`/counterparties/${warned}/steps`, { kind: 'WARNED' })).status).toBe(201);
  const brake = { kind: 'OUTGOING', reason: 'Stop.', counterpartyEntityId: braked };
  expect((await tenant.post('/tenant/me/brakes', brake)).status).toBe(201);
  for (const id of [warned, braked])
    expect(await ask('DELETE', `/${id}`)).toMatchObject({ status: 409, body: { code: 'conflict' } });
});

test('a brake on an entity holds its duplicates and its master, however they are merged afterwards', async () => {
  const ids = [
    await addEntity('Held'),
    await addEntity('Master'),
    await addEntity('Twin'),
    await addEntity('Else'),
  ];
  const [held, master, twin, stranger] = ids;
  const brake = { kind: 'INCOMING', reason: 'Stop.', counterpartyEntityId: held };
  expect((await tenant.post('/tenant/me/brakes', brake)).status).toBe(201);
  const isHeld = async (senderEntityId = '') =>
    (await findBrakeOnWay(database.pool, {
      senderTenantId: other.id,
      receiverTenantId: tenant.id,
      receiverEntityId: null,
      senderEntityId,
    })) !== undefined;
  expect(await Promise.all(ids.map(isHeld))).toEqual([true, false, false, false]);
  await ask('POST', `/${held}/merge`, { masterId: master });
  await ask('POST', `/${twin}/merge`, { masterId: master });
  expect(await isHeld(stranger)).toBe(false);
  expect(await Promise.all(ids.map(isHeld))).toEqual([true, true, true, false]);
});

test('a wallet that is being deleted has no travel address', async () => {
  const wallet = { blockchain: 'Ethereum', asset: 'ETH', address: evmAddress() };
  const { id } = (await tenant.post<Wallet>('/wallets', wallet)).body;
  const told = await whileDeleting('wallets', id, async () =>
    travelTokenOf(database.pool, { tenantId: tenant.id, walletId: id, now: new Date() }).catch(
      (error: { code: string }) => error.code,
    ),
  );
  expect(told).toBe('not_found');
});
