import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import { getLiveEndpoint } from '../../../api/health/get-live.ts';
import { getReadyEndpoint } from '../../../api/health/get-ready.ts';
import type { TenantCaller } from '../../../api/caller.ts';
import { startServer } from '../../../api/server.ts';
import { eventually } from '../../eventually.ts';
import { oddEndpoint, startToy, TENANT_KEY, tenantCaller, toyEndpoints, type Toy } from './toy-api.ts';

const PET = '/pets/0190d1a2-7b3c-7def-8123-456789abcdef';
const HALF_HEADERS = 'GET /pets HTTP/1.1\r\nHost: x\r\nX-Api';
const HALF_BODY =
  `POST /pets HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TENANT_KEY}\r\nContent-Type: application/json\r\n` +
  `Content-Length: 100\r\n\r\n{"na`;

/** A connection that has sent `text`; `closed` gives all that came back once it has ended. */
async function open({ url }: Pick<Toy, 'url'>, text: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(answer));
  });
  await once(socket, 'connect');
  if (text) socket.write(text);
  return { socket, closed };
}

function gate() {
  let pass = () => {};
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { pass, passed };
}

/** `GET /odd` answers when told to, and tells when it has begun. */
function slowEndpoint() {
  const begun = gate();
  const finish = gate();
  const endpoint = oddEndpoint(async () => {
    begun.pass();
    await finish.passed;
    return { status: 200, body: { id: '1', name: 'Rex' } };
  });
  return { endpoint, begun: begun.passed, finish: finish.pass };
}

test('requests and responses are born with the prototypes that Express would give them', async () => {
  const toy = await startToy({ endpoints: [getLiveEndpoint] });
  const born: unknown[] = [];
  const note = (message: unknown) => {
    const { request, response } = message as { request: object; response: object };
    born.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
  };
  subscribe('http.server.request.start', note);
  expect((await toy.send('/health/live')).status).toBe(200);
  unsubscribe('http.server.request.start', note);
  await toy.stop(1000);
  expect(born).toHaveLength(2);
  expect(born[0]).toBe(toy.app.request);
  expect(born[1]).toBe(toy.app.response);
});

test('a taken port is refused at the start', async () => {
  const toy = await startToy();
  const port = Number(new URL(toy.url).port);
  await expect(startServer({ app: toy.app, host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await toy.stop(1000);
});

describe('what is not HTTP', () => {
  let toy: Toy;
  beforeAll(async () => {
    toy = await startToy();
  });
  afterAll(() => toy.stop(1000));

  test.each([
    ['noise', 'hello\r\n\r\n'],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['two lengths', 'POST /pets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['a header with NUL', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
    [
      'a broken chunk',
      `POST /pets HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TENANT_KEY}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
  ])('%s gets a 400 problem and the connection ends', async (_what, text) => {
    const answer = await (await open(toy, text)).closed;
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json\r\n/);
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as object;
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '' }] });
    expect(problem).toHaveProperty('requestId');
  });

  test('headers beyond 16 kB get 431', async () => {
    const { closed } = await open(toy, `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(await closed).toMatch(/^HTTP\/1\.1 431 /);
  });

  test.each(['*', '//', '//x/y', 'http://[::1', 'http://[::1?a', '/%', '/pets/..;/', '/pets?%'])(
    'the target %s is refused as a problem, never 5xx',
    async (target) => {
      const text = `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TENANT_KEY}\r\nConnection: close\r\n\r\n`;
      const answer = await (await open(toy, text)).closed;
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(answer).toContain('application/problem+json');
    },
  );
});

test('a target with scheme and host, as proxies send it, is served by its path', async () => {
  const toy = await startToy();
  for (const host of ['http://x', 'https://other.example.com:99999']) {
    const text = `GET ${host}/pets?q=a HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TENANT_KEY}\r\nConnection: close\r\n\r\n`;
    const answer = await (await open(toy, text)).closed;
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*"q":"a"/);
  }
  await toy.stop(1000);
});

test('noise behind a request does not cost it its answer', async () => {
  const { endpoint, begun, finish } = slowEndpoint();
  const toy = await startToy({ endpoints: [endpoint] });
  const { socket, closed } = await open(toy, 'GET /odd HTTP/1.1\r\nHost: x\r\n\r\n');
  await begun;
  for (let times = 0; times < 20; times += 1)
    await new Promise((sent) => socket.write('noise\r\n\r\n', sent));
  finish();
  expect(await closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*Rex/);
  await toy.stop(1000);
});

describe('slow callers', () => {
  test('200 of them, silent or half-way through, hold back nobody', async () => {
    const toy = await startToy();
    const texts = ['', HALF_HEADERS, HALF_BODY];
    const slow = await Promise.all(
      Array.from({ length: 200 }, (_, at) => open(toy, texts[at % 3] as string)),
    );
    const answers = await Promise.all(Array.from({ length: 50 }, () => toy.send(PET)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(slow.filter(({ socket }) => socket.closed)).toEqual([]);
    for (const { socket } of slow) socket.destroy();
    await toy.stop(1000);
  });

  test.each([
    ['headers', HALF_HEADERS],
    ['body', HALF_BODY],
  ])('a request whose %s never end gets 408 and is let go', async (_part, text) => {
    const limits = { headersTimeout: 100, requestTimeout: 150, connectionsCheckingInterval: 50 };
    const toy = await startToy({ limits });
    const { closed } = await open(toy, text);
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
    // On a busy machine a good request can be late for limits as short as these.
    await eventually(
      async () => await toy.send(PET),
      ({ status }) => status === 200,
    );
    await toy.stop(1000);
  });

  test('a caller who leaves in the middle of a body is not taken for a fault of ours', async () => {
    const begun = gate();
    const authenticateTenant = async (): Promise<TenantCaller> => {
      begun.pass();
      return tenantCaller('ADMIN');
    };
    const toy = await startToy({ deps: { authenticateTenant } });
    const { socket } = await open(toy, HALF_BODY);
    await begun.passed;
    socket.destroy();
    while (toy.log.every(({ route }) => route !== '/pets')) await toy.send('/nothing');
    await toy.stop(1000);
    expect(toy.log.filter(({ level }) => level === 'error')).toEqual([]);
    expect(toy.log).toContainEqual(expect.objectContaining({ route: '/pets', status: 499 }));
  });

  test('connections beyond the limit are dropped, and room is made when one ends', async () => {
    const toy = await startToy({ limits: { maxConnections: 2 } });
    const first = await open(toy, HALF_HEADERS);
    const second = await open(toy, HALF_HEADERS);
    const third = await open(toy, '');
    expect(await third.closed).toBe('');
    first.socket.destroy();
    second.socket.destroy();
    // The server sees a moment later that they are gone, and drops what comes until then.
    await eventually(
      async () => await toy.send(PET).catch(() => undefined),
      (answer) => answer?.status === 200,
    );
    await toy.stop(1000);
  });
});

describe('stop', () => {
  test('lets running requests finish, ends idle and half-sent ones, and accepts no more', async () => {
    const { endpoint, begun, finish } = slowEndpoint();
    const toy = await startToy({ endpoints: [endpoint, ...toyEndpoints] });
    const running = toy.send('/odd');
    const idle = await open(toy, 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle.socket, 'data');
    const others = await Promise.all(['', HALF_HEADERS].map((text) => open(toy, text)));
    await begun;
    const stopped = toy.stop(10_000);
    await Promise.all([idle, ...others].map(({ closed }) => closed));
    await expect(toy.send(PET)).rejects.toThrow();
    finish();
    const answer = await running;
    expect([answer.status, answer.json, answer.headers.get('connection')]).toEqual([
      200,
      { id: '1', name: 'Rex' },
      'close',
    ]);
    await stopped;
  });

  test('turns readiness to 503 for whoever can still ask', async () => {
    const { endpoint, begun, finish } = slowEndpoint();
    const toy = await startToy({ endpoints: [endpoint, getReadyEndpoint] });
    const ask = 'GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n';
    // Two requests on one connection: the second is read while the first is still running.
    const { socket, closed } = await open(toy, 'GET /odd HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun;
    toy.app.locals['stopping'] = true;
    socket.write(ask);
    finish();
    await once(socket, 'data');
    const direct = await toy.send('/health/ready');
    expect([direct.status, direct.json['status']]).toEqual([503, 'unavailable']);
    await toy.stop(1000);
    expect(await closed).toMatch(/HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 503 /);
  });

  test('cuts off what still runs after the limit', async () => {
    const { endpoint, begun, finish } = slowEndpoint();
    const toy = await startToy({ endpoints: [endpoint] });
    const running = expect(toy.send('/odd')).rejects.toThrow('fetch failed');
    await begun;
    // The request ends only after this.
    await toy.stop(100);
    await running;
    finish();
  });
});
