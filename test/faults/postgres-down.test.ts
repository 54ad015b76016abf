import { startTestApi, type TestApi } from '../api-client.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { startTcpProxy, type TcpProxy } from '../fakes/tcp-proxy.ts';
import { eventually } from '../eventually.ts';

let database: TestDatabase;
let wire: TcpProxy;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  const url = new URL(database.url);
  wire = await startTcpProxy(url.hostname, Number(url.port));
  url.port = String(wire.port);
  api = await startTestApi({ url: url.href });
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await wire.close();
  await database.drop();
});

const body = {
  asset: 'ETH',
  amount: 1,
  blockchainInfo: { destination: `0x${'1'.repeat(40)}`, destinationType: 'CUSTODIAL' },
};

test('with PostgreSQL gone every request is 503 with Retry-After, and all works again without a restart', async () => {
  expect((await tenant.post('/transactions', body)).status).toBe(201);
  wire.cut();
  for (const ask of [
    async () => await tenant.post('/transactions', body, { headers: { 'Idempotency-Key': 'a' } }),
    async () => await tenant.get('/transactions'),
    async () => await tenant.patch('/tenant/me', { legalName: 'X' }),
    async () =>
      await tenant.post('/wallets', { address: `0x${'2'.repeat(40)}`, asset: 'ETH', blockchain: 'Ethereum' }),
  ]) {
    const answer = await ask();
    expect([answer.status, answer.body['code']]).toEqual([503, 'temporarily_unavailable']);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect((await api.request('GET', '/health/ready')).status).toBe(503);
  expect((await api.request('GET', '/health/live')).status).toBe(200);
  wire.mend();
  expect((await tenant.post('/transactions', body, { headers: { 'Idempotency-Key': 'a' } })).status).toBe(
    201,
  );
  expect((await tenant.get('/transactions')).headers.get('x-total-count')).toBe('2');
  // Readiness is remembered for a second.
  await eventually(
    async () => (await api.request('GET', '/health/ready')).status,
    (status) => status === 200,
  );
});

test('connections cut in the middle of 100 requests: what was answered 201 is stored, once each', async () => {
  const before = Number((await tenant.get('/transactions')).headers.get('x-total-count'));
  const sending = Array.from({ length: 100 }, async (_, index) => {
    const headers = { 'Idempotency-Key': `cut-${index}` };
    for (;;) {
      const answer = await tenant.post('/transactions', body, { headers });
      if (answer.status === 201) return String(answer.body['id']);
      expect(answer.status).toBe(503);
    }
  });
  for (let cuts = 0; cuts < 3; cuts += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    wire.cut();
    wire.mend();
  }
  const ids = await Promise.all(sending);
  expect(new Set(ids).size).toBe(100);
  const after = Number((await tenant.get('/transactions')).headers.get('x-total-count'));
  expect(after - before).toBe(100);
});
