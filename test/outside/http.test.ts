import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createHttpClient, discard, type HttpClient, type HttpClientOptions } from '../../outside/http.ts';
import { readStart } from '../../outside/limited-body.ts';
import { eventually } from '../eventually.ts';
import { createReceivers } from '../fakes/receivers.ts';

/** Most must end for another reason than their deadline, also on a machine that has other work. */
const LIMITS = { deadlineMs: 60_000, maxBodyBytes: 100_000 };
/** For what must end by its deadline; the headers have to come before it. */
const HASTY = { ...LIMITS, deadlineMs: 1_500 };
const receivers = createReceivers();
const { receiver, rawReceiver, tlsReceiver } = receivers;
const tomorrow = () => new Date(Date.now() + 86_400_000);

afterEach(async () => await receivers.end());

function client(options: Partial<HttpClientOptions> = {}): HttpClient {
  const http = createHttpClient({ reach: 'ANYWHERE', limits: LIMITS, ...options });
  receivers.onEnd(async () => await http.close());
  return http;
}

/** A server that begins a response and leaves it unfinished; `closed` resolves when the connection is gone. */
async function unfinished(begin: RequestListener) {
  let isClosed: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (isClosed = resolve));
  const { url } = await receiver((request, response) => {
    response.once('close', isClosed);
    begin(request, response);
  });
  return { url: new URL(url), closed };
}

const endless: RequestListener = (_request, response) => {
  const more = (): void => {
    if (!response.destroyed) response.write('x'.repeat(65_536), more);
  };
  more();
};

describe('a request', () => {
  test('arrives as it was given, and says who asks', async () => {
    const got: unknown[] = [];
    const { url } = await receiver((request, response) => {
      request.resume().on('end', () => {
        const { method, url: path, headers } = request;
        got.push(method, path, headers['user-agent'], headers['x-mine'], headers['accept-encoding']);
        response.writeHead(201, { 'X-Theirs': 'b' }).end('thanks');
      });
    });
    const response = await client().send(new URL(`${url}?page=1`), {
      method: 'PUT',
      headers: { 'X-Mine': 'a' },
      body: 'text',
    });
    expect(got).toEqual(['PUT', '/hook?page=1', 'Waybill', 'a', undefined]);
    expect(response).toMatchObject({ status: 201, headers: { 'x-theirs': 'b' } });
    expect(response.body.toString()).toBe('thanks');
  });

  test('streams its body; when the stream fails the cause says why', async () => {
    const { url, seen } = await receiver((request, response) => {
      request.resume().on('end', () => response.end());
    });
    const lost = new Error('the file is gone');
    const breaking = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        await eventually(
          () => seen.hits,
          (hits) => hits === 2,
        );
        throw lost;
      })(),
      { objectMode: false },
    );
    const send = async (body: Readable) => await client().send(new URL(url), { method: 'POST', body });
    expect((await send(Readable.from([Buffer.from('all of it')], { objectMode: false }))).status).toBe(200);
    const failure: unknown = await send(breaking).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'REQUEST_FAILED' });
    expect((failure as Error).cause).toBe(lost);
    expect(seen.hits).toBe(2);
  });

  test('that cannot be sent is INVALID_REQUEST', async () => {
    const { url, seen } = await receiver((_request, response) => void response.end());
    const injected = client().send(new URL(url), { headers: { 'X-Injected': 'a\r\nb: c' } });
    await expect(injected).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(seen.hits).toBe(0);
  });

  test('of a closed client is SHUTTING_DOWN, one under way as well', async () => {
    const http = client();
    const { url, server } = await receiver(() => undefined);
    const arrived = once(server, 'request');
    const underWay = http.send(new URL(url)).catch((error: unknown) => error);
    await arrived;
    await http.close();
    expect(await underWay).toMatchObject({ code: 'SHUTTING_DOWN', status: null });
    await expect(http.send(new URL(url))).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });
});

describe('the deadline', () => {
  test.each<[what: string, begin: RequestListener, status: number | null]>([
    ['a server that never answers', () => undefined, null],
    ['a body that stops in the middle', (_request, response) => void response.write('half'), 200],
    [
      'a body that comes byte by byte',
      (_request, response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      },
      200,
    ],
  ])('ends %s, and its connection', async (_what, begin, status) => {
    const { url, closed } = await unfinished(begin);
    const startedMs = performance.now();
    await expect(client({ limits: HASTY }).send(url)).rejects.toMatchObject({ code: 'TIMEOUT', status });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(HASTY.deadlineMs - 10);
    await closed;
  });

  test('ends header after header without end', async () => {
    const url = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const hinted = client({ limits: HASTY }).send(new URL(`http://${url}`));
    await expect(hinted).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  test('ends a look-up that hangs, and the wait for a connection', async () => {
    const resolve = async () => await new Promise<never>(() => {});
    const http = client({ resolve, connectionsPerOrigin: 1, limits: HASTY });
    const url = new URL('http://hooks.example.com/');
    const results = await Promise.allSettled([http.send(url), http.send(url)]);
    expect(results).toMatchObject([{ reason: { code: 'TIMEOUT' } }, { reason: { code: 'TIMEOUT' } }]);
  });

  test('ends a body that nobody has begun to read, without an error that nobody catches', async () => {
    const { url, closed } = await unfinished((_request, response) => void response.write('half'));
    const { body } = await client({ limits: HASTY }).open(url);
    await closed;
    await expect(body.toArray()).rejects.toMatchObject({ code: 'TIMEOUT', status: 200 });
  });

  test('does not outlive the exchange: a body that was read to its end stays read', async () => {
    const { url } = await receiver((_request, response) => void response.end('whole'));
    const { body } = await client().open(new URL(url), { limits: { deadlineMs: 2_000 } });
    expect(String(await readStart(body, 100))).toBe('whole');
    await delay(2_100);
    expect(body.errored).toBeNull();
  });

  test('of the connection alone is CONNECT_TIMEOUT', async () => {
    const url = await rawReceiver(() => {});
    const http = client({ connectTimeoutMs: 200 });
    await expect(http.send(new URL(`https://${url}`))).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' });
  });

  test.each<[what: string, begin: RequestListener, status: number | null]>([
    ['before the headers', () => undefined, null],
    ['within the body', (_request, response) => void response.write('half'), 200],
  ])('of silence counts %s', async (_what, begin, status) => {
    const { url, closed } = await unfinished(begin);
    const silent = client().send(url, { limits: { silenceMs: 1_000 } });
    await expect(silent).rejects.toMatchObject({ code: 'TIMEOUT', status });
    await closed;
  });

  test("and the caller's signal: the request ends at once, ABORTED", async () => {
    const stop = new AbortController();
    const { url, closed } = await unfinished((_request, response) => {
      response.write('half');
      stop.abort();
    });
    const request = { signal: stop.signal };
    await expect(client().send(url, request)).rejects.toMatchObject({ code: 'ABORTED' });
    await closed;
    await expect(client().send(url, request)).rejects.toMatchObject({ code: 'ABORTED', status: null });
  });
});

describe('the body', () => {
  test('of exactly the most that is allowed is taken, and its connection used again', async () => {
    const { url, seen } = await receiver((_request, response) => void response.end('x'.repeat(100_000)));
    const http = client();
    for (let time = 0; time < 5; time += 1)
      expect((await http.send(new URL(url))).body).toHaveLength(100_000);
    expect(seen.hits).toBe(5);
    expect(seen.dials).toBeLessThanOrEqual(2);
  });

  test.each<[what: string, begin: RequestListener]>([
    ['one byte more', (_request, response) => void response.end('x'.repeat(100_001))],
    ['a body without end', endless],
  ])('%s is TOO_LARGE, and the connection ends', async (_what, begin) => {
    const { url, closed } = await unfinished(begin);
    const tooLarge = client().send(url);
    await expect(tooLarge).rejects.toMatchObject({ code: 'TOO_LARGE', status: 200 });
    await closed;
  });

  test('that is packed is unpacked where that was asked for, and counted afterwards', async () => {
    const { url } = await receiver((request, response) => {
      const isPacked = String(request.headers['accept-encoding']).includes('gzip');
      const text = request.url === '/large' ? 'x'.repeat(5_000_000) : 'small';
      if (isPacked) response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(text));
      else response.end(text);
    });
    const http = client();
    expect(String((await http.send(new URL(url), { acceptsGzip: true })).body)).toBe('small');
    expect(String((await http.send(new URL(url))).body)).toBe('small');
    await expect(http.send(new URL('/large', url), { acceptsGzip: true })).rejects.toMatchObject({
      code: 'TOO_LARGE',
      status: 200,
    });
  });

  test.each([
    ['in a way that nobody asked for', 'br', Buffer.from('x'), 'UNKNOWN_ENCODING'],
    ['wrongly', 'gzip', Buffer.from('no gzip at all'), 'INVALID_RESPONSE'],
    ['and breaks off', 'gzip', gzipSync('x'.repeat(1_000)).subarray(0, 20), 'INVALID_RESPONSE'],
  ])('that is packed %s', async (_what, encoding, bytes, code) => {
    const { url } = await receiver(
      (_request, response) => void response.writeHead(200, { 'Content-Encoding': encoding }).end(bytes),
    );
    const sent = client().send(new URL(url), { acceptsGzip: true });
    await expect(sent).rejects.toMatchObject({ code, status: 200 });
  });

  test('that breaks off is CONNECTION_CLOSED with the status that came', async () => {
    const url = await rawReceiver((socket) =>
      socket.end('HTTP/1.1 206 Partial\r\nContent-Length: 100\r\n\r\nhalf'),
    );
    const broken = client().send(new URL(`http://${url}`));
    await expect(broken).rejects.toMatchObject({ code: 'CONNECTION_CLOSED', status: 206 });
  });

  test('is destroyed with its connection by whoever stops reading', async () => {
    const { url, closed } = await unfinished(endless);
    const { body } = await client({ limits: { ...LIMITS, maxBodyBytes: 1 << 30 } }).open(url);
    for await (const chunk of body) if (chunk) break;
    await closed;
  });

  test('that nobody needs is read to its end where that is near, and cut off else', async () => {
    const { url, seen } = await receiver(
      (_request, response) => void response.writeHead(404).end('no such page'),
    );
    const http = client({ limits: { ...LIMITS, maxBodyBytes: 1 << 30 } });
    for (let time = 0; time < 3; time += 1) await discard(await http.open(new URL(url)));
    expect(seen.hits).toBe(3);
    expect(seen.dials).toBeLessThanOrEqual(2);
    const { url: endlessUrl, closed } = await unfinished(endless);
    await discard(await http.open(endlessUrl));
    await closed;
  });
});

describe('connections', () => {
  test.each([301, 302, 303, 307, 308])('a redirect (%i) is an answer like any other', async (status) => {
    const target = await receiver((_request, response) => void response.end());
    const { url } = await receiver(
      (_request, response) => void response.writeHead(status, { location: target.url }).end('moved'),
    );
    expect(await client().send(new URL(url))).toMatchObject({ status, headers: { location: target.url } });
    expect(target.seen.dials).toBe(0);
  });

  test.each([
    ['closes early', 'CONNECTION_CLOSED', ''],
    ['does not speak HTTP', 'INVALID_RESPONSE', '220 mail.example.com ESMTP\r\n'],
    ['sends endless headers', 'INVALID_RESPONSE', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('a server that %s is %s', async (_what, code, bytes) => {
    const url = await rawReceiver((socket) => socket.end(bytes));
    await expect(client().send(new URL(`http://${url}`))).rejects.toMatchObject({ code, status: null });
  });

  test('a port that nobody listens at is CONNECT_REFUSED', async () => {
    const url = new URL(`http://127.0.0.1:${await receivers.closedPort()}/`);
    await expect(client().send(url)).rejects.toMatchObject({ code: 'CONNECT_REFUSED' });
  });

  test.each(['127.0.0.1', '[::1]', 'localhost', '2130706433'])(
    'a client for public addresses never dials %s',
    async (host) => {
      const { port, seen } = await receiver((_request, response) => void response.end());
      const http = client({ reach: { allowedHosts: [] } });
      await expect(http.send(new URL(`http://${host}:${port}/`))).rejects.toMatchObject({
        code: 'ADDRESS_NOT_ALLOWED',
      });
      expect(seen.dials).toBe(0);
    },
  );

  test('nor a private address that a name leads to, nor one that it leads to the second time', async () => {
    const { port, seen } = await receiver(
      (_request, response) => void response.setHeader('connection', 'close').end(),
    );
    let asked = 0;
    const http = client({
      reach: { allowedHosts: [`127.0.0.1:${port}`] },
      resolve: async () => await Promise.resolve([(asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2']),
    });
    const url = new URL(`http://hooks.example.com:${port}/`);
    expect((await http.send(url)).status).toBe(200);
    await expect(http.send(url)).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
    expect([asked, seen.dials]).toEqual([2, 1]);
  });

  test('a name without addresses is DNS_FAILED', async () => {
    const http = client({ resolve: async () => await Promise.reject(new Error('ENOTFOUND secret.example')) });
    await expect(http.send(new URL('http://secret.example/'))).rejects.toMatchObject({
      code: 'DNS_FAILED',
      message: 'DNS_FAILED',
    });
  });

  test('a certificate is checked, also one of a host of the operator', async () => {
    const { url, cert, resolve, seen } = await tlsReceiver('hooks.example.com', tomorrow());
    await expect(client({ resolve }).send(new URL(url))).rejects.toMatchObject({ code: 'TLS_ERROR' });
    expect(seen.hits).toBe(0);
    expect((await client({ resolve, ca: cert }).send(new URL(url))).status).toBe(200);
  });

  test.each([
    ['for another name', 'other.example.com', tomorrow()],
    ['that has expired', 'hooks.example.com', new Date(Date.now() - 86_400_000)],
  ])('a trusted certificate %s is TLS_ERROR', async (_what, name, until) => {
    const { url, cert, resolve, seen } = await tlsReceiver(name, until);
    const http = client({ resolve, ca: cert });
    await expect(http.send(new URL(url))).rejects.toMatchObject({ code: 'TLS_ERROR' });
    expect(seen.hits).toBe(0);
  });

  test('to one origin are as many as are allowed', async () => {
    const { url, seen } = await receiver((_request, response) => void response.end());
    const http = client({ connectionsPerOrigin: 2 });
    await Promise.all(Array.from({ length: 20 }, async () => await http.send(new URL(url))));
    expect(seen).toEqual({ hits: 20, dials: 2 });
  });
});
