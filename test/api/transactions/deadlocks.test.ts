import { randomBytes } from 'node:crypto';
import { uniqueViolation } from '../../../db/postgres.ts';
import { newId } from '../../../db/new-id.ts';
import type { CreateRequest } from '../../../db/transactions/create-transactions.ts';
import { SYSTEM } from '../../../domain/events/actor.ts';
import { newTransaction } from '../../../domain/transactions/new-transaction.ts';
import { CreateTransactionBody } from '../../../domain/transactions/schema.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { eventually } from '../../eventually.ts';
import { clientOf, createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createBody } from '../../factories/transaction.ts';

let database: TestDatabase;
let api: TestApi;
/** Another api process on the same database. */
let second: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  second = await startTestApi(database, { config: { MASTER_KEY: api.config.MASTER_KEY } });
  tenant = await createTenant(api);
});
afterAll(async () => {
  await second.stop();
  await api.stop();
  await database.drop();
});

const newKey = () => randomBytes(12).toString('hex');

async function recordCount(): Promise<number> {
  const { rows } = await database.pool.query('select 1 from transactions');
  return rows.length;
}

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
  const body = CreateTransactionBody.parse(createBody(given.reference ? { reference: given.reference } : {}));
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
  const faults = (await outcomes).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  door.release();
  keyHolder.release();
  // Of the two records with one reference exactly one was refused, and for that reason only.
  expect(faults.map(uniqueViolation)).toEqual(['transactions_reference']);
});
