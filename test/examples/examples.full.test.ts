import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Waybill } from '@waybill/client';
import { lastingPort } from '../lasting-port.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { evmAddress } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { runExample, type ExampleProcess } from './example-process.ts';

let system: TestSystem;
const running: ExampleProcess[] = [];

beforeAll(async () => {
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
});
afterAll(async () => {
  for (const example of running) await example.stop();
  await system.stop();
});

function run(name: string, tenant: TestTenant, env: Record<string, string> = {}): ExampleProcess {
  const access = { WAYBILL_URL: system.url, WAYBILL_KEY: tenant.apiKey };
  const example = runExample(`examples/${name}.js`, { ...access, ...env });
  running.push(example);
  return example;
}

/** A service that gets the webhooks of its tenant. */
async function startService(name: string, tenant: TestTenant, env: Record<string, string> = {}) {
  const port = await lastingPort();
  const url = `http://127.0.0.1:${port}`;
  const waybill = new Waybill({ baseUrl: system.url, apiKey: tenant.apiKey });
  const { webhookSecret } = await waybill.tenant.patch({ webhookUrl: `${url}/webhooks` });
  const settings = { ...env, WEBHOOK_SECRET: webhookSecret ?? '', PORT: String(port) };
  const start = async (more: Record<string, string> = {}) => {
    const service = run(name, tenant, { ...settings, ...more });
    await service.prints('Listening');
    return service;
  };
  return { url, waybill, start, service: await start() };
}

async function post(url: string, body: unknown): Promise<Record<string, string>> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
}

/** Wallet software: pays each order once, and always answers it with the same hash. */
async function startWallet(): Promise<{ url: string; server: Server; paid: Map<string, unknown> }> {
  const paid = new Map<string, unknown>();
  const server = createServer((request, response) => {
    void json(request).then((given) => {
      const order = given as { id: string };
      if (!paid.has(order.id)) paid.set(order.id, order);
      response.end(JSON.stringify({ hash: `0x${order.id.replaceAll('-', '').repeat(2)}` }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, paid };
}

describe('a withdrawal service and a deposit service', () => {
  let wallet: Awaited<ReturnType<typeof startWallet>>;
  let withdrawals: Awaited<ReturnType<typeof startService>>;
  let deposits: Awaited<ReturnType<typeof startService>>;
  const address = evmAddress();
  const chain = { asset: 'ETH', blockchain: 'Ethereum' };
  const withdrawal = { id: 'w-1', ...chain, amount: '1.5', customer: 'Anna Keller', payee: 'Jonas Brandt' };

  beforeAll(async () => {
    wallet = await startWallet();
    withdrawals = await startService('withdrawal-service', await createTenant(system), {
      WALLET_URL: wallet.url,
    });
    deposits = await startService('deposit-service', await createTenant(system));
    await post(deposits.url, { customer: 'Jonas Brandt', address, ...chain });
  });
  afterAll(() => {
    wallet.server.close();
    wallet.server.closeAllConnections();
  });

  test('the message is confirmed, the coins are paid once, the deposit is credited', async () => {
    const { transactionId = '' } = await post(withdrawals.url, { ...withdrawal, address });
    const hash = `0x${transactionId.replaceAll('-', '').repeat(2)}`;
    await withdrawals.service.prints(`Transaction ${transactionId} is paid: ${hash}`);
    await deposits.service.prints(`credit 1.5 ETH once ${hash} is final`);
    expect([...wallet.paid]).toEqual([
      [transactionId, { id: transactionId, asset: 'ETH', amount: '1.5', address }],
    ]);
  });

  test('the same withdrawal again is the same transaction, also with another amount once its key is forgotten', async () => {
    const [[paidId] = ['']] = wallet.paid;
    expect(await post(withdrawals.url, { ...withdrawal, address })).toEqual({ transactionId: paidId });
    await system.db.pool.query('delete from idempotency_keys');
    const dearer = { ...withdrawal, address, amount: '150' };
    expect(await post(withdrawals.url, dearer)).toEqual({ transactionId: paidId });
    expect(wallet.paid.size).toBe(1);
    expect(JSON.stringify([...wallet.paid])).not.toContain('150');
  });

  test('for somebody else it is declined, and nothing is paid', async () => {
    const other = { ...withdrawal, id: 'w-2', address, payee: 'Somebody Else' };
    const { transactionId } = await post(withdrawals.url, other);
    await deposits.service.prints('declined: NAME_MISMATCH');
    await withdrawals.service.prints(`Transaction ${transactionId}: Error: stopped: DECLINED`);
    expect(wallet.paid.size).toBe(1);
  });

  test('a deposit service that was away reads what it has missed', async () => {
    await deposits.service.stop();
    const { transactionId } = await post(withdrawals.url, { ...withdrawal, id: 'w-3', address });
    await withdrawals.waybill.transactions.waitUntilCleared(transactionId ?? '', { timeoutMs: 3_000 }).then(
      () => expect('cleared').toBe('not yet'),
      (error: unknown) => expect(error).toMatchObject({ name: 'NotClearedInTime' }),
    );
    await deposits.start();
    await withdrawals.service.prints(`Transaction ${transactionId} is paid`);
  });

  test('a forged webhook is refused', async () => {
    for (const { url } of [withdrawals, deposits]) {
      const forged = await fetch(`${url}/webhooks`, {
        method: 'POST',
        headers: {
          'Service-Signature': `t=${Date.now()},s=${'0'.repeat(64)}`,
          'X-Event-Type': 'transaction',
        },
        body: '{"id":"1","clearance":{"outcome":"GO"}}',
      });
      expect(forged.status).toBe(401);
    }
  });
});

test('the proof of a self-hosted wallet clears the payout', async () => {
  const example = run('self-hosted-proof', await createTenant(system));
  expect([await example.ended, example.output()]).toEqual([
    0,
    'The payout waits: PROVE_OWNERSHIP\nThe wallet: VERIFIED, risk 5 of 100\nThe payout: GO\n',
  ]);
});

test('rules as code are published once, and again only when they have changed', async () => {
  const tenant = await createTenant(system);
  const waybill = new Waybill({ baseUrl: system.url, apiKey: tenant.apiKey });
  const play = async () => {
    const example = run('rules-as-code', tenant);
    return [await example.ended, example.output().trim().split('\n').at(-1)];
  };
  expect(await play()).toEqual([0, 'Version 1 decides from now on.']);
  expect(await play()).toEqual([0, 'Version 1 has these rules already.']);
  const outgoing = (await waybill.rules.list()).find(({ direction }) => direction === 'OUTGOING');
  const [first] = outgoing?.published?.rules ?? [];
  if (!outgoing || !first) throw new Error('nothing was published');
  const changed = { rules: [{ ...first, enabled: false }], revision: outgoing.draft.revision };
  await waybill.rules.patchDraft(outgoing.id, changed);
  await waybill.rules.publish(outgoing.id, { comment: 'By hand' });
  expect(await play()).toEqual([0, 'Version 3 decides from now on.']);
});
