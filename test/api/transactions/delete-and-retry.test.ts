import { verifyEvents } from '../../../db/events/verify-events.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { failTransaction } from '../../factories/failed-transaction.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import { createMessagePair, createTransaction, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();

describe('DELETE /transactions/{id}', () => {
  const tenant = useTenant(api);
  const counterparty = useTenant(api, { webhookUrl: WEBHOOK_URL });

  const remove = async (id: string, by: Pick<TestTenant, 'delete'> = tenant) =>
    await by.delete(`/transactions/${id}`);

  async function webhookVersions(id: string): Promise<number[]> {
    const { rows } = await database.pool.query<{ version: number }>(
      'select resource_version as version from webhook_deliveries where resource_id = $1 order by created_at',
      [id],
    );
    return rows.map((row) => row.version);
  }

  describe('204', () => {
    test('the record is gone for its tenant: 404 everywhere, in no list, not counted', async () => {
      const { id } = await createTransaction(tenant, { reference: 'bye', metadata: 'farewell' });
      const answer = await remove(id);
      expect([answer.status, answer.body, answer.headers.get('Content-Type')]).toEqual([
        204,
        undefined,
        null,
      ]);
      const calls = [
        await tenant.get(`/transactions/${id}`),
        await tenant.get(`/transactions/${id}/events`),
        await tenant.patch(`/transactions/${id}`, { metadata: 'x' }),
        await remove(id),
      ];
      expect(calls.map((call) => [call.status, call.body['code']])).toEqual(
        calls.map(() => [404, 'not_found']),
      );
      for (const query of ['', '?q=farewell', '?_reference=bye', `?q=${id}`]) {
        const list = await tenant.get<Transaction[]>(`/transactions${query}`);
        expect(list.body.some((record) => record.id === id)).toBe(false);
        expect(list.headers.get('X-Total-Count')).toBe(String(list.body.length));
      }
    });

    test.each(['PENDING', 'CONFIRMED', 'DECLINED'])('a record that is %s can be deleted', async (status) => {
      const { id } = await createTransaction(tenant, { direction: 'INCOMING' });
      await tenant.patch(`/transactions/${id}`, { status });
      expect((await remove(id)).status).toBe(204);
    });

    test('the log stays, ends with DELETED and verifies; nothing is left to search or to wake', async () => {
      const { id } = await createTransaction(tenant, { originator: { name: 'Anna' } });
      const told = api.outbox.length;
      await remove(id);
      const { rows: events } = await database.pool.query<Json>(
        'select type, actor, api_key_id, previous_status from events where subject_id = $1 order by sequence desc',
        [id],
      );
      expect(events).toMatchObject([
        { type: 'DELETED', actor: 'API_KEY', api_key_id: tenant.apiKeyId, previous_status: 'PENDING' },
        { type: 'CREATED' },
      ]);
      expect(await verifyEvents(api.db, id)).toMatchObject({ checked: 1, faults: [], erased: [] });
      const { rows } = await database.pool.query<Json>(
        'select search_tokens, wake_at, deadline_at, version from transactions where id = $1',
        [id],
      );
      expect(rows).toEqual([{ search_tokens: [], wake_at: null, deadline_at: null, version: 2 }]);
      // The workflow that waits for it must end.
      expect(api.outbox.slice(told)).toMatchObject([{ subjectId: id, workflow: 'transactionLifecycle' }]);
    });

    test('of 10 deletions at once one is 204, the others 404, and there is one DELETED', async () => {
      const { id } = await createTransaction(tenant);
      const statuses = (await Promise.all(Array.from({ length: 10 }, async () => await remove(id)))).map(
        (answer) => answer.status,
      );
      expect(statuses.sort()).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
      const { rows } = await database.pool.query(
        `select 1 from events where subject_id = $1 and type = 'DELETED'`,
        [id],
      );
      expect(rows).toHaveLength(1);
    });
  });

  describe('what was forwarded', () => {
    test('stays with the counterparty, which is told by an event and a webhook', async () => {
      const { outgoingId, incomingId } = await createMessagePair(api, tenant, counterparty);
      const before = await readTransaction(counterparty, incomingId);
      await remove(outgoingId);
      const after = await readTransaction(counterparty, incomingId);
      expect(after).toEqual({ ...before, version: before.version + 1, updatedAt: after.updatedAt });
      expect(after.updatedAt >= before.updatedAt).toBe(true);
      const events = (await counterparty.get<EventView[]>(`/transactions/${incomingId}/events`)).body;
      expect(events[0]).toMatchObject({
        type: 'COUNTERPARTY_DELETED',
        actor: 'COUNTERPARTY',
        previousStatus: null,
        newStatus: null,
        apiKeyId: null,
      });
      expect(await webhookVersions(incomingId)).toEqual([2, 3]);
    });

    test('can still be decided on; the deleted record takes no part in it', async () => {
      const { outgoingId, incomingId } = await createMessagePair(api, tenant, counterparty);
      await remove(outgoingId);
      expect((await counterparty.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED' })).status).toBe(
        200,
      );
      expect((await readTransaction(counterparty, incomingId)).status).toBe('CONFIRMED');
      const { rows } = await database.pool.query<Json>(
        'select status, version from transactions where id = $1',
        [outgoingId],
      );
      expect(rows).toEqual([{ status: 'DELIVERED', version: 4 }]);
    });

    test('the originator VASP learns that the beneficiary VASP deleted it, and may still withdraw', async () => {
      const { outgoingId, incomingId } = await createMessagePair(api, counterparty, tenant);
      await remove(incomingId);
      const events = (await counterparty.get<EventView[]>(`/transactions/${outgoingId}/events`)).body;
      expect(events[0]).toMatchObject({ type: 'COUNTERPARTY_DELETED' });
      expect((await readTransaction(counterparty, outgoingId)).status).toBe('DELIVERED');
      expect((await counterparty.patch(`/transactions/${outgoingId}`, { status: 'CANCELLED' })).status).toBe(
        200,
      );
    });

    test('is deleted on both sides without a word to who has deleted it before', async () => {
      const { outgoingId, incomingId } = await createMessagePair(api, tenant, counterparty);
      await remove(outgoingId);
      await remove(incomingId, counterparty);
      const { rows } = await database.pool.query<{ type: string }>(
        'select type from events where subject_id = $1 order by sequence',
        [outgoingId],
      );
      expect(rows.map((row) => row.type)).toEqual(['CREATED', 'SCREENED', 'DELIVERED', 'DELETED']);
      expect((await verifyEvents(api.db)).faults).toEqual([]);
    });

    test('a sealed one stays sealed when its sender deletes it', async () => {
      const { outgoingId, incomingId } = await createMessagePair(api, tenant, counterparty, {
        registered: false,
      });
      await remove(outgoingId);
      expect(await readTransaction(counterparty, incomingId)).toMatchObject({
        originator: null,
        beneficiary: null,
      });
    });
  });

  describe('401, 403, 404', () => {
    test('nobody without a key or with a reading key deletes', async () => {
      const { id } = await createTransaction(tenant);
      expect((await api.request('DELETE', `/transactions/${id}`)).status).toBe(401);
      expect((await remove(id, await tenant.as('OBSERVER'))).status).toBe(403);
      expect((await readTransaction(tenant, id)).version).toBe(1);
    });

    test.each(['0190d1a2-7b3c-7def-8123-456789abcdef', 'no-uuid'])('%s is 404', async (id) => {
      expect(await remove(id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });
  });
});

describe('POST /transactions/{id}/retry', () => {
  const tenant = useTenant(api);

  async function failed(): Promise<string> {
    const { id } = await createTransaction(tenant);
    await failTransaction(api, tenant, id);
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
      version: 4,
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
    const answer = await tenant.post(`/transactions/${(await createTransaction(tenant)).id}/retry`);
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
});
