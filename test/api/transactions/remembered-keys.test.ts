import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const payout = () => ({
  asset: 'ETH',
  amount: '1',
  blockchainInfo: { destination: `0x${randomBytes(20).toString('hex')}`, destinationType: 'CUSTODIAL' },
  originator: { name: 'Anna Keller' },
  beneficiary: { name: 'Jonas Brandt' },
});
/** A transfer that the tenant has received, recorded with its hash. */
const received = () => ({
  ...payout(),
  direction: 'INCOMING',
  blockchainInfo: {
    blockchain: 'Ethereum',
    destination: `0x${randomBytes(20).toString('hex')}`,
    transactionHash: `0x${randomBytes(32).toString('hex')}`,
  },
  vaspInfo: { originatorVaspName: 'Harbour Custody' },
});

const send = async (body: unknown = payout(), key?: string, by: TestTenant = tenant) =>
  await by.post<Transaction>(
    '/transactions',
    body,
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
  );

async function countOf(table: 'transactions' | 'idempotency_keys' | 'events'): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from ${table} where tenant_id = $1`,
    [tenant.id],
  );
  return rows[0]?.count ?? NaN;
}

/** The names of the prepared statements that the work needs. */
async function statementsOf(work: () => Promise<unknown>): Promise<unknown[]> {
  const query = jest.spyOn(api.db.pool, 'query');
  try {
    await work();
    return query.mock.calls.map(([config]) => (config as unknown as { name?: string }).name);
  } finally {
    query.mockRestore();
  }
}

test('a key that was read a moment ago is checked by the statement that stores the transaction', async () => {
  await send();
  const names = await statementsOf(async () => {
    expect((await send()).status).toBe(201);
    expect((await send(payout(), 'a key')).status).toBe(400);
    expect((await send(payout(), 'key-1')).status).toBe(201);
  });
  expect(names.filter((name) => name === 'create-transactions')).toHaveLength(2);
  // Only for the refused one, which is not told what is wrong before its key is read.
  expect(names.filter((name) => name === 'find-api-keys')).toHaveLength(1);
});

describe.each([
  ['revoked', 'revoked_at = now()', 401, 'key_revoked'],
  ['expired', 'expires_at = now()', 401, 'key_expired'],
  ['of another role', `role = 'OBSERVER'`, 403, 'forbidden'],
])('a key that is %s since', (_what, change, status, code) => {
  const refused = { status, body: { code } };
  beforeEach(async () => {
    expect((await send(payout(), 'before')).status).toBe(201);
    await database.pool.query(`update api_keys set ${change} where id = $1`, [tenant.apiKeyId]);
  });

  test.each([
    ['a payout', payout, undefined],
    ['a payout with an Idempotency-Key', payout, 'after'],
    ['a received transfer', received, undefined],
    ['a received transfer with an Idempotency-Key', received, 'after'],
  ])('stores nothing: %s', async (_name, body, key) => {
    expect(await send(body(), key)).toMatchObject(refused);
    expect(await send(body(), key)).toMatchObject(refused);
    expect(await countOf('transactions')).toBe(1);
    expect(await countOf('idempotency_keys')).toBe(1);
    expect(await countOf('events')).toBe(1);
  });

  test.each([undefined, 'after'])('is not told what is wrong, and nothing is kept of it: %s', async (key) => {
    for (const body of ['{', {}, { ...payout(), amount: '-1' }])
      expect(await send(body, key)).toMatchObject(refused);
    expect(await countOf('idempotency_keys')).toBe(1);
  });

  test('gets no answer that was kept under an Idempotency-Key', async () => {
    expect(await send(payout(), 'before')).toMatchObject(refused);
  });
});

test('a repeat gets the first answer, and another request under its Idempotency-Key is refused', async () => {
  const body = payout();
  const first = await send(body, 'once');
  expect(first.status).toBe(201);
  const again = await send(body, 'once');
  expect(again).toMatchObject({ status: 201, body: { id: first.body.id } });
  expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  expect(await send(payout(), 'once')).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
  expect(await countOf('transactions')).toBe(1);
});

test('a brake that is put on meanwhile holds for the next payout', async () => {
  await send();
  expect((await tenant.post('/tenant/me/brakes', { kind: 'OUTGOING', reason: 'for a test' })).status).toBe(
    201,
  );
  expect((await send()).body).toMatchObject({ status: 'PENDING', subStatus: 'PAUSED' });
});

test('a refusal is kept for repeats', async () => {
  await send();
  const wrong = { ...payout(), amount: '-1' };
  const first = await send(wrong, 'once');
  expect(first.status).toBe(400);
  expect((await send(wrong, 'once')).body).toEqual(first.body);
  expect(await countOf('idempotency_keys')).toBe(1);
});

test('a reference that is taken is told, as by a key that was just read', async () => {
  const body = { ...payout(), reference: 'order-1' };
  const first = await send(body);
  expect(await send({ ...payout(), reference: 'order-1' })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  });
  expect(first.status).toBe(201);
});

test('of transactions that are stored in one statement only those of keys that hold are', async () => {
  const other = await createTenant(api);
  await Promise.all([send(), send(payout(), undefined, other)]);
  await database.pool.query('update api_keys set revoked_at = now() where id = $1', [other.apiKeyId]);
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, at) =>
      at % 2 === 0 ? await send(payout(), `of-${at}`) : await send(payout(), `of-${at}`, other),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, at) => (at % 2 === 0 ? 201 : 401)));
  expect(await countOf('transactions')).toBe(21);
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from idempotency_keys where tenant_id = $1',
    [other.id],
  );
  expect(rows).toEqual([{ count: 0 }]);
});
