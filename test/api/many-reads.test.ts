import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { endpointsOf } from '../../api/endpoints.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { addEntity } from '../factories/directory.ts';
import {
  goesOn,
  holdLocks,
  holdVerification,
  waitingForRows,
  waitingForTables,
  withFile,
} from '../factories/held-locks.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createBody, createTransaction, evmAddress } from '../factories/transaction.ts';
import { createUser, PASSWORD } from '../factories/user.ts';
import { useApi } from '../use-api.ts';

const POOL = 8;
/** The readings of one tenant at once. */
const TURNS = 3;
const { api } = useApi({ config: { DATABASE_POOL: POOL } });

const rowsWaitedFor = async () => await waitingForRows(api);
const tablesWaitedFor = async () => await waitingForTables(api);
const holdTable = async (name: string) =>
  await holdLocks(api, async (tx) => void (await tx.query(`lock table ${name} in access exclusive mode`)));

test('readings of one tenant that take long keep no other tenant from reading, signing in and writing', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const { email } = await createUser(api, other);
  const release = await holdTable('transactions');
  const readings = Array.from({ length: 3 * POOL }, async () => (await hostile.get('/transactions')).status);
  await eventually(tablesWaitedFor, (count) => count >= 3);
  const signIn = { body: { email, password: PASSWORD } };
  const others = [
    other.get('/tenant/me/api-keys'),
    api.request('POST', '/auth/signin', signIn),
    other.post('/tenant/me/api-keys', { role: 'OBSERVER' }),
  ];
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 201, 200]);
  expect(await tablesWaitedFor()).toBeLessThan(7);
  await release();
  expect(new Set(await Promise.all(readings))).toEqual(new Set([200]));
});

test('one list of brakes whose counts take long keeps no other tenant from reading', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  for (let count = 0; count < POOL; count += 1) {
    const counterpartyEntityId = await addEntity(api, `House ${count}`);
    const brake = { kind: 'INCOMING', reason: 'An incident.', counterpartyEntityId };
    expect((await hostile.post('/tenant/me/brakes', brake)).status).toBe(201);
  }
  const release = await holdTable('transactions');
  const listed = hostile.get<Json[]>('/tenant/me/brakes');
  await eventually(tablesWaitedFor, (count) => count >= 1);
  expect((await other.get('/tenant/me/api-keys')).status).toBe(200);
  await release();
  expect((await listed).body).toHaveLength(POOL);
});

test('a GET takes a turn among the readings of its tenant, unless it waits for what is no connection', () => {
  const outOfTurn = endpointsOf('sandbox').filter(({ readsOutOfTurn }) => readsOutOfTurn);
  expect(outOfTurn.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'GET /aml/analysis/{blockchain}/transaction/{txHash}',
    'GET /aml/analysis/{blockchain}/transaction/{txHash}/receivers',
    'GET /aml/analysis/{blockchain}/wallet/{address}',
    'GET /aml/analysis/{blockchain}/wallet/{address}/transactions',
    'GET /aml/search/history/{id}',
    'GET /kyw/{blockchain}/{address}',
    'GET /sanctions/addresses/{address}',
  ]);
});

test('a POST that only reads takes a turn among the readings of its tenant', () => {
  const inTurn = endpointsOf('sandbox').filter(({ readsInTurn }) => readsInTurn);
  expect(inTurn.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'POST /rule-engine/{id}/replay',
    'POST /rule-engine/{id}/simulate',
  ]);
});

const TO_SELF_HOSTED = {
  blockchain: 'Ethereum',
  destination: evmAddress(),
  destinationType: 'NON_CUSTODIAL',
};
test.each([
  ['replays', 'rule_configurations', 404, '/replay', { transactionId: randomUUID() }],
  ['simulations', 'rule_configurations', 200, '/simulate', { source: 'DRAFT', input: { amount: '5' } }],
  ['preflights', 'verifications', 200, null, createBody({ blockchainInfo: TO_SELF_HOSTED })],
])(
  '%s that take long keep no other tenant from reading and signing in',
  async (_what, table, status, under, body) => {
    const [hostile, other] = [await createTenant(api), await createTenant(api)];
    const { email } = await createUser(api, other);
    const [configuration] = (await hostile.get<Json[]>('/rule-engine')).body;
    const path =
      under === null ? '/transactions/preflight' : `/rule-engine/${String(configuration?.['id'])}${under}`;
    const release = await holdTable(table);
    const asked = Array.from({ length: 3 * POOL }, async () => (await hostile.post(path, body)).status);
    await eventually(tablesWaitedFor, (count) => count >= TURNS);
    const others = [
      other.get('/transactions'),
      api.request('POST', '/auth/signin', { body: { email, password: PASSWORD } }),
    ];
    expect((await Promise.all(others)).map((answer) => answer.status)).toEqual([200, 201]);
    await release();
    expect(new Set(await Promise.all(asked))).toEqual(new Set([status]));
  },
);

test('lists of AML checks that take long keep no other tenant from reading and writing', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const release = await holdTable('aml_checks');
  const lists = Array.from(
    { length: 3 * POOL },
    async () => (await hostile.get('/aml/search/history')).status,
  );
  await eventually(tablesWaitedFor, (count) => count >= TURNS);
  await goesOn(other, POOL, release);
  expect(new Set(await Promise.all(lists))).toEqual(new Set([200]));
});

test('requests that wait for a report keep no other tenant from reading and writing', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const month = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7);
  const writes = jest.spyOn(api.deps, 'writeInTurn');
  const waiting = Array.from(
    { length: 3 * POOL },
    async () => (await hostile.post(`/tenant/me/reports/${month}`)).status,
  );
  // All of them have queued the report, or joined it, before anything waits.
  await eventually(
    () => writes.mock.results.length,
    (count) => count === 3 * POOL,
  );
  await Promise.all(writes.mock.results.map(async ({ value }) => await (value as Promise<unknown>)));
  const release = await holdTable('monthly_reports');
  await eventually(tablesWaitedFor, (count) => count >= TURNS);
  await goesOn(other, POOL, release);
  writes.mockRestore();
  await api.db.pool.query('delete from monthly_reports where tenant_id = $1', [hostile.id]);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]));
});

/** A transfer to a wallet that is proven by a file; `proofId` is the verification. */
async function provenTransfer(tenant: TestTenant): Promise<{ id: string; proofId: string }> {
  const destination = evmAddress();
  const { id: proofId } = await withFile(api, tenant, { address: destination });
  const verified = await tenant.patch(`/wallet-verification/${proofId}`, { status: 'VERIFIED' });
  expect(verified.status).toBe(200);
  const blockchainInfo = { blockchain: 'Ethereum', destination, destinationType: 'NON_CUSTODIAL' };
  const { id } = await createTransaction(tenant, { blockchainInfo });
  return { id, proofId };
}

/** Downloads the evidence of a transaction as often at once as takes the connections three times. */
const downloads = (tenant: TestTenant, id: string) =>
  Array.from({ length: 3 * POOL }, async () => {
    const answer = await fetch(`${api.url}/transactions/${id}/evidence`, {
      headers: { 'X-Api-Key': tenant.apiKey },
    });
    await answer.arrayBuffer();
    return answer.status;
  });

test('archives of evidence that wait for a proof keep no other tenant from reading and writing', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const { id, proofId } = await provenTransfer(hostile);
  const release = await holdVerification(api, proofId);
  const archives = downloads(hostile, id);
  await eventually(rowsWaitedFor, (count) => count >= TURNS);
  await goesOn(other, POOL, release);
  expect(new Set(await Promise.all(archives))).toEqual(new Set([200]));
});

test('archives of evidence whose contents take long to read keep no other tenant from reading and writing', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const { id } = await createTransaction(hostile);
  const release = await holdTable('webhook_attempts');
  const archives = downloads(hostile, id);
  await eventually(tablesWaitedFor, (count) => count >= TURNS);
  await goesOn(other, POOL, release);
  expect(new Set(await Promise.all(archives))).toEqual(new Set([200]));
});

test('exchanges of one refresh token that wait for each other keep no tenant from reading and writing', async () => {
  const [hostile, other] = [await createTenant(api), await createTenant(api)];
  const { email } = await createUser(api, hostile);
  const signedIn = await api.request<Json>('POST', '/auth/signin', { body: { email, password: PASSWORD } });
  const headers = { Authorization: `Bearer ${String(signedIn.body['refreshToken'])}` };
  const text = 'select from user_sessions where tenant_id = $1 for update';
  const release = await holdLocks(api, async (tx) => void (await tx.query(text, [hostile.id])));
  const exchanges = Array.from(
    { length: 3 * POOL },
    async () => (await api.request('GET', '/auth/refresh', { headers })).status,
  );
  await eventually(rowsWaitedFor, (count) => count >= 6);
  await goesOn(other, POOL, release);
  expect(new Set(await Promise.all(exchanges))).toEqual(new Set([200]));
});

/** A GET that announces a body which never comes. */
function withoutItsBody({ apiKey }: TestTenant): Socket {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const headers = `Host: ${hostname}\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`;
  socket.write(`GET /transactions HTTP/1.1\r\n${headers}{`);
  return socket;
}

test('a GET whose body never comes keeps no reading of its tenant waiting', async () => {
  const tenant = await createTenant(api);
  const keys = jest.spyOn(api.deps, 'authenticateTenant');
  const sockets = Array.from({ length: TURNS }, () => withoutItsBody(tenant));
  await eventually(
    () => keys.mock.results.length,
    (count) => count === TURNS,
  );
  await Promise.all(keys.mock.results.map(async ({ value }) => await (value as Promise<unknown>)));
  expect((await tenant.get('/transactions')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});
