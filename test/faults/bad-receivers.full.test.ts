import { randomBytes } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

/** More than one endpoint is asked at a time. */
const EVENTS = 12;

let system: TestSystem;
const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  await system.stop();
});

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const answering = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listen(createHttpServer(listener))}/`;

/** Every way in which a receiver can be bad; none of them may cost anybody else anything. */
const BAD: Record<string, () => Promise<string>> = {
  'hangs for ever': async () => await answering(() => undefined),
  'answers 10 MB': async () => await answering((_, response) => response.end(Buffer.alloc(10_000_000))),
  redirects: async () =>
    await answering((_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()),
  'closes early': async () => await answering((request) => request.socket.destroy()),
  'speaks TLS badly': async () => {
    const port = await listen(createTcpServer((socket) => socket.end('this is no handshake\r\n')));
    return `https://127.0.0.1:${port}/`;
  },
  'refuses connections': async () => await Promise.resolve('http://127.0.0.1:9/'),
};

/** One after the other: a request of many at once may be told to come again when the database is busy. */
async function sendTo(receiver: TestTenant, sender: TestTenant, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    const answer = await sender.post<Transaction>('/transactions', {
      asset: 'ETH',
      amount: 1,
      blockchainInfo: { destination: `0x${randomBytes(20).toString('hex')}`, destinationType: 'CUSTODIAL' },
      vaspInfo: { beneficiaryVaspName: receiver.name },
    });
    expect(answer.status).toBe(201);
  }
}

test('while other endpoints hang and misbehave, a good one gets all of its webhooks at the first attempt', async () => {
  const sender = await createTenant(system);
  const hanging: TestTenant[] = [];
  for (const webhookUrl of await Promise.all(Object.values(BAD).map(async (start) => await start()))) {
    hanging.push(await createTenant(system, { webhookUrl }));
  }
  await Promise.all(hanging.map(async (tenant) => await sendTo(tenant, sender, EVENTS)));

  const attempts: string[] = [];
  const webhookUrl = await answering((request, response) => {
    attempts.push(String(request.headers['x-delivery-attempt']));
    response.end();
  });
  const good = await createTenant(system, { webhookUrl });
  await sendTo(good, sender, EVENTS);
  await eventually(
    () => attempts.length,
    (count) => count >= EVENTS,
  );
  expect(attempts).toEqual(Array<string>(EVENTS).fill('1'));

  // The one that hangs is still hanging: nothing above waited for it.
  const [first] = hanging;
  const open = await first?.get<{ status: string }[]>('/tenant/me/webhook-deliveries?_status=PENDING,FAILED');
  expect(open?.body.length).toBeGreaterThan(0);
});

test('each kind of misbehaviour is named in the delivery log', async () => {
  const sender = await createTenant(system);
  const errors: Record<string, string | null> = {};
  for (const [name, start] of Object.entries(BAD)) {
    const tenant = await createTenant(system, { webhookUrl: await start() });
    await sendTo(tenant, sender, 1);
    const deliveries = await eventually(
      async () =>
        (await tenant.get<{ attempts: number; lastError: string | null }[]>('/tenant/me/webhook-deliveries'))
          .body,
      ([delivery]) => (delivery?.attempts ?? 0) > 0,
    );
    errors[name] = deliveries[0]?.lastError ?? null;
  }
  expect(errors).toEqual({
    'hangs for ever': 'TIMEOUT',
    'answers 10 MB': null,
    redirects: 'REDIRECT',
    'closes early': 'CONNECTION_CLOSED',
    'speaks TLS badly': 'TLS_ERROR',
    'refuses connections': 'CONNECT_REFUSED',
  });
});
