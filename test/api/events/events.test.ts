import type { ChangeFeed } from '../../../domain/events/feed.ts';
import { chainFault } from '../../../domain/events/chain.ts';
import type { Event } from '../../../domain/events/event.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import type { Json } from '../../api-client.ts';
import { readFeed } from '../../factories/change-feed.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  evmAddress,
  evmHash,
  letPass,
} from '../../factories/transaction.ts';
import { useApi, useTenantPerTest, useTenant } from '../../use-api.ts';

const { api, database } = useApi();

describe('GET /events', () => {
  const tenant = useTenantPerTest(api);

  const create = async (by = tenant) => (await createTransaction(by)).id;
  const read = async (query: string, by = tenant) => (await by.get<ChangeFeed>(`/events${query}`)).body;
  const readAll = async (count: number, by = tenant) => await readFeed(by, ({ length }) => length >= count);

  test('200: changes come in order, pages join without gap or repeat, and nothing new keeps the cursor', async () => {
    expect(await read('')).toEqual({ events: [], nextCursor: null });
    const ids = [await create(), await create(), await create()];
    await tenant.patch(`/transactions/${ids[0]}`, { metadata: 'x' });
    await tenant.delete(`/transactions/${ids[1]}`);
    const whole = await readAll(5);
    expect(whole.events.map(({ id, type, version }) => [id, type, version])).toEqual([
      [ids[0], 'CREATED', 1],
      [ids[1], 'CREATED', 1],
      [ids[2], 'CREATED', 1],
      [ids[0], 'DATA_UPDATED', 2],
      [ids[1], 'DELETED', 2],
    ]);
    const first = await read('?_limit=2');
    const second = await read(`?_limit=2&_after=${first.nextCursor}`);
    const third = await read(`?_limit=2&_after=${second.nextCursor}`);
    expect([...first.events, ...second.events, ...third.events]).toEqual(whole.events);
    expect(await read(`?_after=${third.nextCursor}`)).toEqual({ events: [], nextCursor: third.nextCursor });
  });

  test('a change whose database transaction is still open is not jumped over', async () => {
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('select pg_current_xact_id()');
    const id = await create();
    expect((await read('')).events).toEqual([]);
    await client.query('commit');
    client.release();
    expect((await readAll(1)).events.map((event) => event.id)).toEqual([id]);
  });

  test('200: `latest` begins with what comes from now on, and not behind a change that is still being written', async () => {
    expect(await read('?_after=latest')).toEqual({ events: [], nextCursor: null });
    await create();
    const whole = await readAll(1);
    const latest = await read('?_after=latest');
    expect(latest).toEqual({ events: [], nextCursor: whole.nextCursor });
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('select pg_current_xact_id()');
    const id = await create();
    expect(await read('?_after=latest')).toEqual(latest);
    await client.query('commit');
    client.release();
    await tenant.post('/wallets', { address: evmAddress(), asset: 'ETH', blockchain: 'Ethereum' });
    const all = await readAll(3);
    expect((await read(`?_after=${latest.nextCursor}`)).events.map((event) => event.id)[0]).toBe(id);
    expect((await read('?_after=latest')).nextCursor).toBe(all.nextCursor);
  });

  const WRITTEN = 150;

  test('what many writers write at once is all found by a reader who goes on from cursor to cursor', async () => {
    const seen: string[] = [];
    let after = '';
    let writing = true;
    const reading = (async () => {
      while (writing || seen.length < WRITTEN) {
        const page = await read(`?_limit=7${after}`);
        seen.push(...page.events.map((event) => event.id));
        if (page.nextCursor) after = `&_after=${page.nextCursor}`;
      }
    })();
    const ids = await Promise.all(Array.from({ length: WRITTEN }, async () => await create()));
    writing = false;
    await reading;
    expect((await read(`?_limit=1000${after}`)).events).toEqual([]);
    expect([...seen].sort()).toEqual([...ids].sort());
  });

  test('the feed of a tenant holds nothing of another', async () => {
    const other = await createTenant(api);
    await create(other);
    const { nextCursor } = await readAll(1, other);
    expect((await read('')).events).toEqual([]);
    expect((await tenant.get(`/events?_after=${nextCursor}`)).status).toBe(400);
  });

  test.each(['?_after=nonsense', '?_after=MTIuMzQ', '?_limit=0', '?_limit=1001', '?_limit=x', '?_start=0'])(
    '400: %s',
    async (query) => {
      const answer = await tenant.get<{ errors: { pointer: string }[] }>(`/events${query}`);
      expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, `/${/_\w+/.exec(query)?.[0]}`]);
    },
  );

  test('401: without a key', async () => {
    expect((await api.request('GET', '/events')).status).toBe(401);
  });
});

describe('GET /transactions/{id}/events', () => {
  const tenant = useTenant(api);
  const counterparty = useTenant(api);

  const read = async (id: string, by: Pick<TestTenant, 'get'> = tenant) =>
    await by.get<EventView[]>(`/transactions/${id}/events`);

  /** A message with entries of every kind that calls can make. */
  async function eventful(): Promise<{ outgoingId: string; incomingId: string }> {
    const exchange = await createMessagePair(api, tenant, counterparty);
    await tenant.patch(`/transactions/${exchange.outgoingId}`, {
      originator: { name: 'Berta' },
      transactionHash: evmHash(),
    });
    await tenant.patch(`/transactions/${exchange.outgoingId}`, { transactionHash: evmHash(), metadata: 'm' });
    // The changed name has to be screened before the message can be confirmed.
    await letPass(api.db, exchange.incomingId);
    await counterparty.patch(`/transactions/${exchange.incomingId}`, {
      status: 'CONFIRMED',
      statusReasoning: 'fine',
    });
    await tenant.delete(`/transactions/${exchange.outgoingId}`);
    return exchange;
  }

  /** The entries as the hash chain was made of them, oldest first, from nothing but the answer. */
  function chainOf(views: readonly EventView[], tenantId: string, subjectId: string): Event[] {
    return views.toReversed().map(({ user: _user, basis, hash, previousHash, createdAt, ...view }) => ({
      ...view,
      subjectId,
      tenantId,
      subjectKind: 'TRANSACTION',
      createdAt: new Date(createdAt),
      basis:
        basis &&
        (Object.fromEntries(
          Object.entries(basis).filter(([, value]) => value !== null),
        ) as unknown as Event['basis']),
      hash: Buffer.from(hash, 'hex'),
      previousHash: previousHash === null ? null : Buffer.from(previousHash, 'hex'),
    }));
  }

  describe('200', () => {
    test('every entry, newest first, in one shape, with its number', async () => {
      const { incomingId } = await eventful();
      const { body, headers } = await read(incomingId, counterparty);
      expect(body.map((event) => event.type)).toEqual([
        'COUNTERPARTY_DELETED',
        'STATUS_CHANGED',
        'SCREENED',
        'HASH_REPLACED',
        'HASH_ADDED',
        'DATA_UPDATED',
        'SCREENED',
        'RECEIVED',
      ]);
      expect(body.map((event) => event.sequence)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
      expect(body.map((event) => event.version)).toEqual([7, 6, 5, 4, 3, 3, 2, 1]);
      expect(headers.get('X-Total-Count')).toBe('8');
      for (const event of body) {
        expect(event).toEqual({
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          type: expect.any(String),
          createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
          actor: expect.stringMatching(/^(API_KEY|SYSTEM|COUNTERPARTY)$/),
          userId: null,
          user: null,
          apiKeyId: event.actor === 'API_KEY' ? counterparty.apiKeyId : null,
          previousStatus: event.previousStatus,
          newStatus: event.newStatus,
          message: expect.stringMatching(/\.$/),
          data: expect.any(Object),
          basis: event.basis,
          payloadHash: event.payloadHash,
          version: expect.any(Number),
          sequence: expect.any(Number),
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          previousHash: event.sequence === 1 ? null : expect.stringMatching(/^[0-9a-f]{64}$/),
        });
      }
    });

    test('the hash chain is verified from the answer alone, and the head is the one that is stored', async () => {
      const { incomingId } = await eventful();
      const { body } = await read(incomingId, counterparty);
      const chain = chainOf(body, counterparty.id, incomingId);
      const head = { sequence: body.length, head: Buffer.from(body[0]?.hash ?? '', 'hex') };
      expect(chainFault(chain, head)).toBeNull();
      const { rows } = await database.pool.query('select sequence, head from transactions where id = $1', [
        incomingId,
      ]);
      expect(rows).toEqual([head]);
    });

    test.each<[string, (event: EventView) => EventView]>([
      ['message', (event) => ({ ...event, message: `${event.message} ` })],
      ['createdAt', (event) => ({ ...event, createdAt: '2020-01-01T00:00:00.000Z' })],
      ['data', (event) => ({ ...event, data: { fields: [] } })],
      ['actor', (event) => ({ ...event, actor: 'SYSTEM' })],
      ['newStatus', (event) => ({ ...event, newStatus: 'DECLINED' })],
      ['payloadHash', (event) => ({ ...event, payloadHash: '00' })],
      ['version', (event) => ({ ...event, version: event.version + 1 })],
      ['basis', (event) => ({ ...event, basis: { kind: 'USER', id: null, version: null } })],
    ])('an entry whose %s was changed does not verify', async (_field, alter) => {
      const { incomingId } = await createMessagePair(api, tenant, counterparty);
      await counterparty.patch(`/transactions/${incomingId}`, { status: 'CONFIRMED' });
      const { body } = await read(incomingId, counterparty);
      const head = { sequence: body.length, head: Buffer.from(body[0]?.hash ?? '', 'hex') };
      const altered = body.map((event) => (event.type === 'RECEIVED' ? alter(event) : event));
      expect(chainFault(chainOf(altered, counterparty.id, incomingId), head)).toBe('entry 1 was changed');
    });

    test('for every role', async () => {
      const { id } = await createTransaction(tenant);
      for (const role of ['COMPLIANCE', 'OBSERVER'] as const)
        expect((await read(id, await tenant.as(role))).status).toBe(200);
    });
  });

  describe('the stored log', () => {
    test.each([
      ['changed', 'update events set message = message where subject_id = $1'],
      ['removed', 'delete from events where subject_id = $1'],
    ])('cannot be %s', async (_how, sql) => {
      const { id } = await createTransaction(tenant);
      await expect(database.pool.query(sql, [id])).rejects.toThrow('events are immutable');
      expect((await read(id)).body).toHaveLength(1);
    });

    test('cannot be emptied', async () => {
      await expect(database.pool.query('truncate events')).rejects.toThrow('events are immutable');
    });

    test('shows when somebody went around that: an altered entry, a missing one, a cut tail and a moved head', async () => {
      const ids = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const { id } = await createTransaction(tenant);
          for (const metadata of ['a', 'b']) await tenant.patch(`/transactions/${id}`, { metadata });
          return id;
        }),
      );
      const [altered, missing, cut, moved, sound] = ids;
      await database.pool.query('alter table events disable trigger user');
      await database.pool.query(`update events set message = 'x' where subject_id = $1 and sequence = 2`, [
        altered,
      ]);
      await database.pool.query('delete from events where subject_id = $1 and sequence = 2', [missing]);
      await database.pool.query('delete from events where subject_id = $1 and sequence = 3', [cut]);
      await database.pool.query('update transactions set sequence = 2 where id = $1', [moved]);
      await database.pool.query('alter table events enable trigger user');
      const faults = await Promise.all(
        ids.map(async (id) => (await verifyEvents(api.db, id)).faults[0]?.fault ?? null),
      );
      expect(faults).toEqual([
        'entry 2 was changed',
        'entry 2 is missing',
        'the last entries are missing: 2 of 3',
        expect.any(String),
        null,
      ]);
      expect((await verifyEvents(api.db, sound)).checked).toBe(1);
    });
  });

  describe('400, 401, 404', () => {
    test.each(['0190d1a2-7b3c-7def-8123-456789abcdef', 'no-uuid'])('404: %s', async (id) => {
      expect(await read(id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });

    test('404: a deleted record', async () => {
      const { outgoingId } = await eventful();
      expect((await read(outgoingId)).status).toBe(404);
    });

    test('400: there are no query parameters', async () => {
      const { id } = await createTransaction(tenant);
      expect(await tenant.get<Json>(`/transactions/${id}/events?_end=1`)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/_end', code: 'unknown_field' }] },
      });
    });

    test('401: no key', async () => {
      const { id } = await createTransaction(tenant);
      expect((await api.request('GET', `/transactions/${id}/events`)).status).toBe(401);
    });
  });
});
