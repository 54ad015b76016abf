import { eraseStoredTransaction } from '../../../db/lifecycle/erase-record.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import type { Json } from '../../api-client.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

const HOLD = { hold: true, reason: 'The case of Anna Keller.' };
const NONE = { hold: false, reason: null, setAt: null };

test('a hold is set, read and lifted, each once in the log, and the transaction stays as it is', async () => {
  const before = await createTransaction(tenant);
  const path = `/transactions/${before.id}/legal-hold`;
  expect((await tenant.get(path)).body).toEqual({ transactionId: before.id, ...NONE });
  const { status, body } = await tenant.put(path, HOLD);
  expect([status, body]).toEqual([
    200,
    { transactionId: before.id, ...HOLD, setAt: expect.any(String) as string },
  ]);
  expect((await tenant.put(path, HOLD)).body).toEqual(body);
  expect((await tenant.get(path)).body).toEqual(body);
  const { rows } = await database.pool.query<{ row: string }>('select t::text as row from transactions t');
  expect(JSON.stringify(rows)).not.toContain('Keller');
  expect((await tenant.put(path, { hold: false, reason: 'Settled.' })).body).toEqual({
    transactionId: before.id,
    ...NONE,
  });
  const { body: events } = await tenant.get<Json[]>(`/transactions/${before.id}/events`);
  expect(events.map(({ type }) => type)).toEqual(['LEGAL_HOLD_LIFTED', 'LEGAL_HOLD_SET', 'CREATED']);
  expect(JSON.stringify(events)).not.toContain('Settled');
  const { body: after } = await tenant.get<typeof before>(`/transactions/${before.id}`);
  expect({ ...after, version: 1 }).toEqual({ ...before, warnings: after.warnings });
  expect((await verifyEvents(api.db, before.id)).faults).toEqual([]);
});

test('a hold that is set while a run is under way keeps the record whole; one that comes after it is 404', async () => {
  const { id } = await createTransaction(tenant);
  const path = `/transactions/${id}/legal-hold`;
  const found = { tenantId: tenant.id, id, isDeleted: false };
  await tenant.put(path, HOLD);
  expect(await eraseStoredTransaction(api.db, found, { reason: 'RETENTION', now: new Date() })).toBeNull();
  expect((await tenant.get(`/transactions/${id}`)).status).toBe(200);
  await tenant.put(path, { hold: false, reason: 'Settled.' });
  expect(
    await eraseStoredTransaction(api.db, found, { reason: 'RETENTION', now: new Date() }),
  ).not.toBeNull();
  expect((await tenant.put(path, HOLD)).status).toBe(404);
});

test('a deleted transaction can be held too', async () => {
  const { id } = await createTransaction(tenant);
  await tenant.delete(`/transactions/${id}`);
  expect(await tenant.put(`/transactions/${id}/legal-hold`, HOLD)).toMatchObject({ status: 200, body: HOLD });
  expect(await tenant.get(`/transactions/${id}/legal-hold`)).toMatchObject({ status: 200, body: HOLD });
});

test.each([
  [{ reason: 'x' }, '/hold'],
  [{ hold: true }, '/reason'],
  [{ hold: true, reason: '' }, '/reason'],
  [{ hold: 'yes', reason: 'x' }, '/hold'],
  [{ ...HOLD, until: '2030-01-01' }, '/until'],
])('%j is refused at %s', async (body, pointer) => {
  const { id } = await createTransaction(tenant);
  expect(await tenant.put(`/transactions/${id}/legal-hold`, body)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer }] },
  });
});

test('an officer sets it, an observer reads it, and nobody else reaches it', async () => {
  const { id } = await createTransaction(tenant);
  const path = `/transactions/${id}/legal-hold`;
  const observer = await tenant.as('OBSERVER');
  expect((await observer.put(path, HOLD)).status).toBe(403);
  expect((await observer.get(path)).body).toMatchObject(NONE);
  const officer = await tenant.as('COMPLIANCE');
  expect((await officer.put(path, { hold: false, reason: 'x' })).status).toBe(200);
  const other = await createTenant(api);
  expect((await other.put(path, HOLD)).status).toBe(404);
  expect((await other.get(path)).status).toBe(404);
  expect((await tenant.get(path)).body).toMatchObject(NONE);
});
