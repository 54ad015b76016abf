import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WalletVerification } from '../../domain/verifications/schema.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createVerification, evmWallet, signedFor, submit } from '../factories/verification.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  body: WalletVerification;
}

let system: TestSystem;
let tenant: TestTenant;
let receiver: Server;
const received: Received[] = [];

beforeAll(async () => {
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers, text, body: JSON.parse(text) as WalletVerification });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  tenant = await createTenant(system, { webhookUrl: `http://127.0.0.1:${port}/hook` });
});
afterAll(async () => {
  await system.stop();
  receiver.close();
});

const ofRecord = async (id: string, count: number) =>
  await eventually(
    () => received.filter(({ body }) => body.id === id),
    (found) => found.length >= count,
  );

test('every change is told by a signed webhook with the object as it reads, the last one with DELETED', async () => {
  const wallet = evmWallet();
  const made = await createVerification(tenant, { address: wallet.address, metadata: 'order 17' });
  const accepted = await submit(tenant, made.id, await signedFor(wallet, made));
  const [first] = await ofRecord(made.id, 1);
  expect(first?.body).toEqual(accepted.body);
  expect(first?.headers['x-event-type']).toBe('wallet-verification');
  expect(first?.headers['x-resource-version']).toBe('2');
  const [, time, signature] =
    /^t=(\d+),s=([0-9a-f]{64})$/.exec(String(first?.headers['service-signature'])) ?? [];
  expect(signature).toBe(
    createHmac('sha256', tenant.webhookSecret).update(`${time}.${first?.text}`).digest('hex'),
  );
  await tenant.post(`/wallet-verification/${made.id}/revoke`, { reason: 'sold' });
  await ofRecord(made.id, 2);
  await tenant.delete(`/wallet-verification/${made.id}`);
  const all = await ofRecord(made.id, 3);
  expect(all.map(({ body }) => body.status)).toEqual(['VERIFIED', 'DECLINED', 'DELETED']);
});

test('a refused permit is in no log, no webhook, no table and no workflow history', async () => {
  const wallet = evmWallet();
  const made = await createVerification(tenant, { address: wallet.address, metadata: 'Zanarrio metadata' });
  const message = '{"types":{},"domain":{},"primaryType":"Permit","message":{"owner":"Zanarrio"}}';
  const signature = await wallet.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 1 },
    types: { Permit: [{ name: 'owner', type: 'address' }] },
    primaryType: 'Permit',
    message: { owner: wallet.address },
  });
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const answer = await submit(tenant, made.id, { verificationFlow: 'SIGNATURE_PROOF', message, signature });
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'signature_typed_data' }]);
  }
  const [failed] = await ofRecord(made.id, 1);
  expect(failed?.body).toMatchObject({
    status: 'FAILED',
    failureCode: 'TOO_MANY_ATTEMPTS',
    message: null,
    signature: null,
  });
  const texts = [JSON.stringify(system.log), JSON.stringify(system.workerLog), failed?.text ?? ''];
  const { rows: tables } = await system.db.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const { rows } = await system.db.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...rows.map(({ text }) => text));
  }
  const histories = await eventually(historiesOfAll, ({ length }) => length >= 4);
  expect(histories.join('\n')).toContain(made.id);
  const needle = signature.slice(2, 62);
  for (const secret of [
    needle,
    Buffer.from(needle).toString('hex'),
    Buffer.from(needle, 'hex').toString('base64'),
  ]) {
    expect([...texts, ...histories].filter((text) => text.includes(secret))).toEqual([]);
  }
  // The tenant's own free text comes back to it, and is in clear nowhere else.
  expect([...texts.filter((text) => text !== failed?.text), ...histories].join('\n')).not.toContain(
    'Zanarrio',
  );
});

async function historiesOfAll(): Promise<string[]> {
  const texts: string[] = [];
  for await (const { workflowId, runId, raw } of system.client.workflow.list()) {
    const history = await system.client.workflow.getHandle(workflowId, runId).fetchHistory();
    texts.push(readable({ raw, history }));
  }
  return texts;
}

/** Payloads are bytes: shown as text, so that a word in them is found. */
function readable(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Uint8Array) return Buffer.from(member).toString();
    return typeof member === 'bigint' ? String(member) : member;
  });
}
