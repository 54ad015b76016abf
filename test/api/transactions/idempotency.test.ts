import { createHash, randomBytes } from 'node:crypto';
import { CreateTransactionBody, type Transaction } from '../../../domain/transactions/schema.ts';
import { uniqueViolation } from '../../../db/postgres.ts';
import { newId } from '../../../db/new-id.ts';
import type { CreateRequest } from '../../../db/transactions/create-transactions.ts';
import { SYSTEM } from '../../../domain/events/actor.ts';
import { newTransaction } from '../../../domain/transactions/new-transaction.ts';
import type { Json, TestApi } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { createTenant, clientOf, type TestTenant } from '../../factories/tenant.ts';
import { createBody, createTransaction, readTransaction, rowCounts } from '../../factories/transaction.ts';
import { useApi, useTenant, startSecondApi } from '../../use-api.ts';

const { api, database } = useApi();

const tenant = useTenant(api);

const newKey = () => randomBytes(12).toString('hex');

async function post(
  key: string,
  body: unknown,
  path = '/transactions',
  by: Pick<TestTenant, 'post'> = tenant,
) {
  return await by.post<Transaction & Json>(path, body, { headers: { 'Idempotency-Key': key } });
}

async function recordCount(): Promise<number> {
  const { rows } = await database.pool.query('select 1 from transactions');
  return rows.length;
}

async function keyExists(key: string): Promise<boolean> {
  const { rows } = await database.pool.query('select 1 from idempotency_keys where key = $1', [key]);
  return rows.length > 0;
}

async function makeOlder(key: string, age: string): Promise<void> {
  await database.pool.query(`update idempotency_keys set created_at = now() - $2::interval where key = $1`, [
    key,
    age,
  ]);
}

describe('a repeat', () => {
  test('50 requests with one key at once make one record and get 50 equal answers, 49 of them marked', async () => {
    const [key, body] = [newKey(), createBody({ reference: newKey() })];
    const before = await recordCount();
    const answers = await Promise.all(Array.from({ length: 50 }, async () => await post(key, body)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    const replayed = answers.filter((answer) => answer.headers.get('Idempotency-Replayed') === 'true');
    expect(replayed).toHaveLength(49);
    expect(await recordCount()).toBe(before + 1);
  });

  test('gets the first answer even after the record has changed', async () => {
    const [key, body] = [newKey(), createBody()];
    const first = await post(key, body);
    await tenant.patch(`/transactions/${first.body.id}`, { metadata: 'changed' });
    const second = await post(key, body);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect((await readTransaction(tenant, first.body.id)).metadata).toBe('changed');
  });

  test('gets 404 once the record is deleted: nothing shows it any more', async () => {
    const [key, body] = [newKey(), createBody()];
    const first = await post(key, body);
    await tenant.delete(`/transactions/${first.body.id}`);
    expect(await post(key, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await post(key, createBody())).toMatchObject({ status: 422 });
  });

  test('may be written in another way', async () => {
    const [key, body] = [newKey(), createBody()];
    const first = await post(key, body);
    const { asset, ...rest } = body;
    for (const sameBody of [{ ...rest, asset }, ` ${JSON.stringify(body)}`]) {
      expect(await post(key, sameBody)).toMatchObject({ status: 201, body: first.body });
    }
    expect(await post(key, { ...body, asset: `${asset}X` })).toMatchObject({ status: 422 });
  });

  test('finds the first answer under a fingerprint of the bytes, as the version before kept it', async () => {
    const [key, body] = [newKey(), createBody()];
    const first = await post(key, body);
    const bytes = createHash('sha256')
      .update(`POST /transactions\n${JSON.stringify(body)}`)
      .digest();
    await database.pool.query('update idempotency_keys set fingerprint = $2 where key = $1', [key, bytes]);
    expect(await post(key, body)).toMatchObject({ status: 201, body: first.body });
    const { asset, ...rest } = body;
    expect(await post(key, { ...rest, asset })).toMatchObject({ status: 422 });
  });

  test('tells no workflow again', async () => {
    const [key, body] = [newKey(), createBody()];
    const { id } = (await post(key, body)).body;
    await post(key, body);
    expect(api.outbox.filter((entry) => entry.subjectId === id)).toHaveLength(1);
  });

  test('of a refusal with 400 gets that refusal, and the corrected body needs a new key', async () => {
    const key = newKey();
    const faulty = createBody({ amount: '0' });
    const first = await post(key, faulty);
    const second = await post(key, faulty);
    expect(first.status).toBe(400);
    expect(first.headers.get('Idempotency-Replayed')).toBeNull();
    expect(second).toMatchObject({ status: 400, body: first.body });
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    expect(second.headers.get('Content-Type')).toBe('application/problem+json');
    expect(await post(key, createBody())).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect((await post(newKey(), createBody())).status).toBe(201);
  });

  test('of a body that is not JSON gets the same refusal', async () => {
    const key = newKey();
    const [first, second] = [await post(key, '{"asset":'), await post(key, '{"asset":')];
    expect(first).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
    expect(second.body).toEqual(first.body);
  });
});

describe('a key that was used for another request', () => {
  test.each<[string, string, unknown]>([
    ['another body', '/transactions', createBody()],
    ['a body that is faulty', '/transactions', createBody({ amount: 0 })],
    ['another path', '/tenant/me/api-keys', {}],
  ])('with %s is 422 and stores nothing', async (_what, path, body) => {
    const key = newKey();
    await post(key, createBody());
    const before = await rowCounts(api);
    const answer = await post(key, body, path);
    expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await rowCounts(api)).toEqual(before);
  });

  test('of 30 different requests with one key at once one succeeds, all others are 422', async () => {
    const key = newKey();
    const before = await recordCount();
    const answers = await Promise.all(Array.from({ length: 30 }, async () => await post(key, createBody())));
    expect(answers.map((answer) => answer.status).sort()).toEqual([
      201,
      ...Array.from({ length: 29 }, () => 422),
    ]);
    expect(await recordCount()).toBe(before + 1);
  });

  test('of another tenant is no concern of this one', async () => {
    const [key, body, other] = [newKey(), createBody(), await createTenant(api)];
    const first = await post(key, body);
    const second = await post(key, body, '/transactions', other);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).not.toBe(first.body.id);
    expect(second.headers.get('Idempotency-Replayed')).toBeNull();
  });
});

describe('24 hours', () => {
  test('are how long an answer is kept; after them the same request makes a new record', async () => {
    const [key, body] = [newKey(), createBody()];
    const first = await post(key, body);
    await makeOlder(key, '23 hours 59 minutes');
    expect((await post(key, body)).body.id).toBe(first.body.id);
    await makeOlder(key, '24 hours 1 second');
    const third = await post(key, body);
    expect(third.status).toBe(201);
    expect(third.body.id).not.toBe(first.body.id);
    expect((await post(key, body)).body).toEqual(third.body);
  });

  test('after them the key is free for another request, of 20 at once for exactly one', async () => {
    const key = newKey();
    await post(key, createBody());
    await makeOlder(key, '25 hours');
    const before = await recordCount();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => await post(key, createBody())));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(19);
    expect(await recordCount()).toBe(before + 1);
  });

  test('after them a refusal is kept anew', async () => {
    const [key, faulty] = [newKey(), createBody({ amount: 0 })];
    await post(key, faulty);
    await makeOlder(key, '25 hours');
    const anew = await post(key, faulty);
    const repeat = await post(key, faulty);
    expect(anew.headers.get('Idempotency-Replayed')).toBeNull();
    expect(repeat.body).toEqual(anew.body);
    expect(repeat.headers.get('Idempotency-Replayed')).toBe('true');
  });
});

describe('what is not kept', () => {
  test('409: once the reference is another one the same key can be used', async () => {
    const [key, reference] = [newKey(), newKey()];
    await createTransaction(tenant, { reference });
    expect((await post(key, createBody({ reference }))).status).toBe(409);
    expect(await keyExists(key)).toBe(false);
    expect((await post(key, createBody({ reference: newKey() }))).status).toBe(201);
  });

  test('401 and 403: the same request with a right key is served', async () => {
    const [key, body, observer] = [newKey(), createBody(), await tenant.as('OBSERVER')];
    const headers = { 'Idempotency-Key': key };
    expect((await api.request('POST', '/transactions', { body, headers })).status).toBe(401);
    expect((await post(key, body, '/transactions', observer)).status).toBe(403);
    expect(await keyExists(key)).toBe(false);
    expect((await post(key, body)).status).toBe(201);
  });

  test('413: a body that was too large can come again smaller', async () => {
    const key = newKey();
    expect((await post(key, 'x'.repeat(300_000))).status).toBe(413);
    expect((await post(key, createBody())).status).toBe(201);
  });
});

test('the kept answer holds no personal data in clear', async () => {
  const key = newKey();
  await post(key, createBody({ originator: { name: 'Xenophilius Quibbler' } }));
  await post(newKey(), createBody({ originator: { name: 'Xenophilius Quibbler', country: 'Atlantis' } }));
  const { rows } = await database.pool.query<{ body: Buffer | null }>('select body from idempotency_keys');
  expect(rows.some((row) => row.body?.includes('Xenophilius'))).toBe(false);
  expect(rows.some((row) => row.body !== null)).toBe(true);
});

test.each(['', 'two words', 'ü', 'x'.repeat(256)])('%j is no key: 400', async (key) => {
  const before = await recordCount();
  const answer = await tenant.post('/transactions', createBody(), {
    headers: { 'Idempotency-Key': Buffer.from(key).toString('latin1') },
  });
  // fetch sends no header that is empty after trimming it; node takes it as the empty text.
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/Idempotency-Key' }] } });
  expect(await recordCount()).toBe(before);
});

describe('creations at once never wait for each other in a circle', () => {
  /** Another api process on the same database. */
  let second: TestApi;
  beforeAll(async () => {
    second = await startSecondApi(api);
  });

  /** The same items four times, each time in another order, so that batches of them meet in every order. */
  function inFourOrders<T>(items: readonly T[]): T[] {
    return [...items, ...items.toReversed(), ...items.slice(5), ...items.slice(0, 5), ...items.toReversed()];
  }

  test('64 creations at once with the same keys in other orders: every one is answered 201, one record per key', async () => {
    const requests = Array.from({ length: 16 }, () => ({
      key: newKey(),
      body: createBody({ reference: newKey() }),
    }));
    const before = await recordCount();
    const answers = await Promise.all(
      inFourOrders(requests).map(
        async ({ key, body }) =>
          await tenant.post('/transactions', body, { headers: { 'Idempotency-Key': key } }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(await recordCount()).toBe(before + 16);
  });

  test('64 creations at once with the same references, some with keys, in two processes: each is answered 201, 409 or 422', async () => {
    const clients = [tenant, clientOf(second, tenant.apiKey)];
    const references = Array.from({ length: 16 }, newKey);
    const before = await recordCount();
    const answers = await Promise.all(
      inFourOrders(references).map(async (reference, index) => {
        const headers: Record<string, string> =
          index % 3 === 0 ? { 'Idempotency-Key': `${reference}-${index % 2}` } : {};
        return await clients[index % 2]?.post('/transactions', createBody({ reference }), { headers });
      }),
    );
    const statuses = answers.map((answer) => answer?.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(16);
    expect(statuses.filter((status) => status === 409 || status === 422)).toHaveLength(48);
    expect(await recordCount()).toBe(before + 16);
  });

  function request(given: { key?: string; reference?: string }): CreateRequest {
    const now = new Date();
    const body = CreateTransactionBody.parse(
      createBody(given.reference ? { reference: given.reference } : {}),
    );
    const made = newTransaction(body, {
      id: newId(now),
      tenant: { id: tenant.id, name: tenant.name, email: null },
      actor: SYSTEM,
      now,
      price: undefined,
    });
    const idempotency = given.key ? { key: given.key, fingerprint: Buffer.from(given.key) } : null;
    return { ...made, idempotency, answer: () => ({}) };
  }

  /** Statements of this database that wait for somebody's lock. */
  async function waiting(): Promise<number> {
    const { rows } = await database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  }

  test('a batch never holds a reference while it waits for a key: two processes cannot wait for each other', async () => {
    const [firstKey, secondKey, reference] = [`a${newKey()}`, `b${newKey()}`, newKey()];
    const [door, keyHolder] = [await database.pool.connect(), await database.pool.connect()];
    await door.query('begin');
    await door.query('lock table transactions in share mode');
    await keyHolder.query('begin');
    await keyHolder.query(
      `insert into idempotency_keys (tenant_id, key, fingerprint, status, sealed_by, sealed_by_id, created_at)
       values ($1, $2, '', 201, 'TENANT', $1, now())`,
      [tenant.id, firstKey],
    );
    // Two writers are busy at the door, so that what comes now goes together in one batch.
    const busy = [api.deps.createTransaction(request({})), api.deps.createTransaction(request({}))];
    await eventually(waiting, (count) => count === 2);
    const batch = [{ reference }, { key: firstKey }, { key: secondKey }].map(
      async (given) => await api.deps.createTransaction(request(given)),
    );
    await door.query('commit');
    await Promise.all(busy);
    await eventually(waiting, (count) => count === 1);
    let isOver = false;
    const alone = second.deps
      .createTransaction(request({ key: secondKey, reference }))
      .finally(() => (isOver = true));
    const outcomes = Promise.allSettled([...batch, alone]);
    await eventually(async () => isOver || (await waiting()) === 2, Boolean);
    await keyHolder.query('rollback');
    const kinds = (await outcomes).map((outcome) =>
      outcome.status === 'rejected' ? uniqueViolation(outcome.reason) : outcome.value.kind,
    );
    door.release();
    keyHolder.release();
    // Of the two records with one reference exactly one was refused, and for that reason only: by the index or as seen before.
    const refused = kinds.filter((kind) => kind !== 'CREATED' && kind !== 'REPEATED');
    expect(refused).toHaveLength(1);
    expect(['transactions_reference', 'TAKEN']).toContain(refused[0]);
  });
});
