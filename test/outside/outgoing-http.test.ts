import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { createOutgoingHttp, type OutgoingHttp } from '../../outside/outgoing-http.ts';
import { createReceivers } from '../fakes/receivers.ts';

type Options = Parameters<typeof createOutgoingHttp>[0];

/** Most must end for another reason than their deadline, also on a machine that has other work. */
const limits = { connectTimeoutMs: 60_000, deadlineMs: 60_000 };
/** For what must end by its deadline; the headers have to come before it. */
const HASTY = { ...limits, deadlineMs: 1_500 };
const body = Buffer.from('{"name":"Zoë"}');
const receivers = createReceivers();
const { receiver, rawReceiver, tlsReceiver } = receivers;

afterEach(async () => await receivers.end());

function outgoing(options: Partial<Options> = {}): OutgoingHttp {
  const http = createOutgoingHttp({
    environment: 'sandbox',
    allowedHosts: ['127.0.0.1'],
    limits,
    ...options,
  });
  receivers.onEnd(async () => await http.close());
  return http;
}

describe('what is sent', () => {
  test('the receiver gets exactly the bytes, the headers and the path', async () => {
    const got: unknown[] = [];
    const { url } = await receiver((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { 'content-type': type, 'x-event-id': id } = request.headers;
        got.push(request.method, request.url, type, id, Buffer.concat(chunks));
        response.end('thanks');
      });
    });
    const headers = { 'content-type': 'application/json', 'x-event-id': 'e1' };
    const result = await outgoing().post(`${url}?tenant=1`, headers, body);
    expect(got).toEqual(['POST', '/hook?tenant=1', 'application/json', 'e1', body]);
    expect(result).toEqual({
      outcome: 'DELIVERED',
      statusCode: 200,
      durationMs: expect.any(Number) as unknown,
      error: null,
      retryAfterMs: null,
      responseExcerpt: 'thanks',
    });
  });

  test('attempts that follow each other share connections', async () => {
    const { url, seen } = await receiver((_request, response) => void response.end());
    const http = outgoing();
    for (let attempt = 0; attempt < 10; attempt += 1) await http.post(url, {}, body);
    expect(seen.hits).toBe(10);
    expect(seen.dials).toBeLessThanOrEqual(2);
  });

  test('tenants whose endpoints share an origin do not wait for those that hang', async () => {
    const { url } = await receiver((request, response) => {
      if (request.url?.endsWith('/quick') === true) response.end();
    });
    const http = outgoing();
    const hanging = Array.from({ length: 40 }, async () => await http.post(`${url}/hangs`, {}, body));
    expect((await http.post(`${url}/quick`, {}, body)).outcome).toBe('DELIVERED');
    await http.close();
    await Promise.all(hanging);
  });

  test('connections to one origin are bounded', async () => {
    const { url, seen } = await receiver((_request, response) => void response.end());
    const http = outgoing({ limits: { connectionsPerOrigin: 2 } });
    const results = await Promise.all(Array.from({ length: 20 }, () => http.post(url, {}, body)));
    expect(results.every(({ outcome }) => outcome === 'DELIVERED')).toBe(true);
    expect(seen).toEqual({ hits: 20, dials: 2 });
  });
});

describe('the status decides', () => {
  test.each([
    [200, 'DELIVERED', null],
    [202, 'DELIVERED', null],
    [204, 'DELIVERED', null],
    [304, 'FAILED', 'REDIRECT'],
    [400, 'FAILED', 'HTTP_STATUS'],
    [404, 'FAILED', 'HTTP_STATUS'],
    [410, 'GONE', 'HTTP_STATUS'],
    [500, 'FAILED', 'HTTP_STATUS'],
    [503, 'FAILED', 'HTTP_STATUS'],
  ])('%i is %s', async (statusCode, outcome, error) => {
    const { url } = await receiver((_request, response) => void response.writeHead(statusCode).end());
    expect(await outgoing().post(url, {}, body)).toMatchObject({ outcome, statusCode, error });
  });

  test.each([301, 302, 303, 307, 308])(
    'a redirect (%i) is a failure and is not followed',
    async (statusCode) => {
      const target = await receiver((_request, response) => void response.end());
      const { url } = await receiver(
        (_request, response) => void response.writeHead(statusCode, { location: target.url }).end(),
      );
      expect(await outgoing().post(url, {}, body)).toMatchObject({
        outcome: 'FAILED',
        statusCode,
        error: 'REDIRECT',
      });
      expect(target.seen.dials).toBe(0);
    },
  );

  test.each([
    [200, 'DELIVERED'],
    [500, 'FAILED'],
  ])('an answer of %i without end is cut off after 64 kB and is %s', async (statusCode, outcome) => {
    const cutOffs: Promise<unknown>[] = [];
    const { url } = await receiver((_request, response) => {
      cutOffs.push(once(response.writeHead(statusCode), 'close'));
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(65_536), more);
      };
      more();
    });
    const result = await outgoing({ limits: { deadlineMs: 20_000 } }).post(url, {}, body);
    expect(result).toMatchObject({ outcome, statusCode, responseExcerpt: 'x'.repeat(1_000) });
    expect(result.durationMs).toBeLessThan(10_000);
    expect(cutOffs).toHaveLength(1);
    await Promise.all(cutOffs);
  });

  test('an answer of just the most that is read keeps its connection', async () => {
    const { url, seen } = await receiver((_request, response) => void response.end('x'.repeat(65_536)));
    const http = outgoing();
    for (let attempt = 0; attempt < 10; attempt += 1) await http.post(url, {}, body);
    expect(seen.hits).toBe(10);
    expect(seen.dials).toBeLessThanOrEqual(2);
  });

  test.each([
    [200, 'DELIVERED', null],
    [500, 'FAILED', 'HTTP_STATUS'],
  ])(
    'a body that never ends after %i ends with the deadline and is %s',
    async (statusCode, outcome, error) => {
      const cutOffs: Promise<unknown>[] = [];
      const { url } = await receiver((_request, response) => {
        cutOffs.push(once(response.writeHead(statusCode), 'close'));
        response.write('half');
      });
      const result = await outgoing({ limits: HASTY }).post(url, {}, body);
      expect(result).toMatchObject({ outcome, statusCode, error, responseExcerpt: 'half' });
      expect(cutOffs).toHaveLength(1);
      await Promise.all(cutOffs);
    },
  );

  test('a body that breaks off after 200 is a success', async () => {
    const url = await rawReceiver((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    );
    expect(await outgoing().post(`http://${url}`, {}, body)).toMatchObject({
      outcome: 'DELIVERED',
      statusCode: 200,
    });
  });
});

describe('attempts without an answer', () => {
  const unanswered = { outcome: 'FAILED', statusCode: null, retryAfterMs: null, responseExcerpt: null };

  test('a receiver that hangs ends with the deadline, and its connection is closed', async () => {
    const cutOffs: Promise<unknown>[] = [];
    const { url } = await receiver((_request, response) => void cutOffs.push(once(response, 'close')));
    const result = await outgoing({ limits: HASTY }).post(url, {}, body);
    expect(result).toMatchObject({ ...unanswered, error: 'TIMEOUT' });
    expect(result.durationMs).toBeGreaterThanOrEqual(HASTY.deadlineMs - 10);
    expect(cutOffs).toHaveLength(1);
    await Promise.all(cutOffs);
  });

  test('a receiver that sends header after header without end ends with the deadline', async () => {
    const url = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await outgoing({ limits: HASTY }).post(`http://${url}`, {}, body)).toMatchObject({
      ...unanswered,
      error: 'TIMEOUT',
    });
  });

  test('an attempt that waits for a connection ends with the deadline too, and is not sent afterwards', async () => {
    const { port, seen } = await receiver((_request, response) => response.end());
    let connect = (_addresses: string[]): void => undefined;
    const looking = new Promise<string[]>((resolve) => (connect = resolve));
    const http = outgoing({
      allowedHosts: [`hooks.local:${port}`],
      resolve: async () => await looking,
      limits: { connectTimeoutMs: 60_000, deadlineMs: 3_000, connectionsPerOrigin: 1 },
    });
    const post = async () => await http.post(`http://hooks.local:${port}/`, {}, body);
    const results = await Promise.all([post(), post()]);
    expect(results.map(({ error }) => error)).toEqual(['TIMEOUT', 'TIMEOUT']);
    // Only now is there a connection, and only who still waits for it is sent.
    const third = post();
    connect(['127.0.0.1']);
    expect(await third).toMatchObject({ outcome: 'DELIVERED' });
    expect(seen.hits).toBe(1);
  });

  test('an attempt that is still connecting ends with the deadline', async () => {
    const resolve = async () => new Promise<never>(() => {});
    const http = outgoing({ resolve, limits: { connectTimeoutMs: 20_000, deadlineMs: 200 } });
    const result = await http.post('http://hooks.example.com/', {}, body);
    expect(result).toMatchObject({ ...unanswered, error: 'TIMEOUT' });
    expect(result.durationMs).toBeLessThan(5_000);
  });

  test('a handshake that hangs ends with the connect timeout', async () => {
    const url = await rawReceiver(() => {});
    const result = await outgoing({ limits: { connectTimeoutMs: 200, deadlineMs: 20_000 } }).post(
      `https://${url}`,
      {},
      body,
    );
    expect(result).toMatchObject({ ...unanswered, error: 'TIMEOUT' });
    expect(result.durationMs).toBeLessThan(5_000);
  });

  test.each([
    ['closes early', 'CONNECTION_CLOSED', ''],
    ['closes within the headers', 'CONNECTION_CLOSED', 'HTTP/1.1 200 OK\r\nContent-'],
    ['does not speak HTTP', 'INVALID_RESPONSE', '220 mail.example.com ESMTP\r\n'],
    ['sends endless headers', 'INVALID_RESPONSE', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('a receiver that %s: %s', async (_what, error, bytes) => {
    const url = await rawReceiver((socket) => socket.end(bytes));
    expect(await outgoing().post(`http://${url}`, {}, body)).toMatchObject({ ...unanswered, error });
  });

  test('nobody listens: CONNECT_REFUSED', async () => {
    const port = await receivers.closedPort();
    const result = await outgoing().post(`http://127.0.0.1:${port}/`, {}, body);
    expect(result).toMatchObject({ ...unanswered, error: 'CONNECT_REFUSED' });
  });

  test('what cannot be sent is a result, not an exception', async () => {
    const { url, seen } = await receiver((_request, response) => void response.end());
    const http = outgoing();
    const errorOf = async (to: string, headers = {}) => (await http.post(to, headers, body)).error;
    expect(await errorOf('no url')).toBe('INVALID_URL');
    expect(await errorOf(`${url}#part`)).toBe('INVALID_URL');
    expect(await errorOf(url, { 'x-injected': 'a\r\nb: c' })).toBe('INVALID_REQUEST');
    await http.close();
    expect(await errorOf(url)).toBe('SHUTTING_DOWN');
    expect(seen.hits).toBe(0);
  });
});

describe('only public or allowed addresses are dialled', () => {
  test.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0'])(
    '%s is refused without a connection',
    async (host) => {
      const { port, seen } = await receiver((_request, response) => void response.end());
      const result = await outgoing({ allowedHosts: [] }).post(`http://${host}:${port}/`, {}, body);
      expect(result).toMatchObject({ outcome: 'FAILED', statusCode: null, error: 'ADDRESS_NOT_ALLOWED' });
      expect(seen.dials).toBe(0);
    },
  );

  test.each([
    ['a private address', ['127.0.0.1']],
    ['one private address among public ones', ['8.8.8.8', '127.0.0.1', '2606:4700::1111']],
    ['a mapped private address', ['::ffff:127.0.0.1']],
    ['something that is no address', ['example.com']],
    ['an address in decimal', ['2130706433']],
  ])('a name that resolves to %s is refused without a connection', async (_what, addresses) => {
    const { port, seen } = await receiver((_request, response) => void response.end());
    const http = outgoing({ allowedHosts: [], resolve: async () => addresses });
    const result = await http.post(`http://hooks.example.com:${port}/`, {}, body);
    expect(result).toMatchObject({ outcome: 'FAILED', error: 'ADDRESS_NOT_ALLOWED' });
    expect(seen.dials).toBe(0);
  });

  test.each([['hooks.example.com'], ['127.0.0.1']])(
    'a name is reached when %s is allowed',
    async (allowed) => {
      const { port, seen } = await receiver((request, response) => void response.end(request.headers.host));
      const http = outgoing({ allowedHosts: [`${allowed}:${port}`], resolve: async () => ['127.0.0.1'] });
      const result = await http.post(`http://hooks.example.com:${port}/`, {}, body);
      expect(result).toMatchObject({ outcome: 'DELIVERED', responseExcerpt: `hooks.example.com:${port}` });
      const elsewhere = outgoing({ allowedHosts: [`${allowed}:1`], resolve: async () => ['127.0.0.1'] });
      expect((await elsewhere.post(`http://hooks.example.com:${port}/`, {}, body)).error).toBe(
        'ADDRESS_NOT_ALLOWED',
      );
      expect(seen.hits).toBe(1);
    },
  );

  test('an answer that changes after the check is never dialled', async () => {
    const dialled: (string | undefined)[] = [];
    const { port, server } = await receiver(
      (_request, response) => void response.setHeader('connection', 'close').end(),
      '0.0.0.0', // also 127.0.0.2, so that a wrong dial would be seen
    );
    server.on('connection', (socket) => dialled.push(socket.localAddress));
    let asked = 0;
    const resolve = async () => [(asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2'];
    const http = outgoing({ allowedHosts: ['127.0.0.1'], resolve });
    const url = `http://hooks.example.com:${port}/`;
    expect((await http.post(url, {}, body)).outcome).toBe('DELIVERED');
    expect([asked, dialled]).toEqual([1, ['127.0.0.1']]);
    expect((await http.post(url, {}, body)).error).toBe('ADDRESS_NOT_ALLOWED');
    expect([asked, dialled]).toEqual([2, ['127.0.0.1']]);
  });

  test('when the first address does not answer, the next one is dialled', async () => {
    const { port } = await receiver((_request, response) => void response.end());
    const http = outgoing({
      allowedHosts: ['two.example.com'],
      resolve: async () => ['127.0.0.9', '127.0.0.1'],
    });
    expect((await http.post(`http://two.example.com:${port}/`, {}, body)).outcome).toBe('DELIVERED');
  });

  test.each([
    ['fails', async () => Promise.reject(new Error('hooks.example.com')), 'DNS_FAILED'],
    ['finds nothing', async () => [], 'DNS_FAILED'],
    ['never answers', async () => new Promise<never>(() => {}), 'TIMEOUT'],
  ])('a look-up that %s: %s', async (_what, resolve, error) => {
    const result = await outgoing({ resolve, limits: HASTY }).post('http://hooks.example.com/', {}, body);
    expect(result).toMatchObject({ outcome: 'FAILED', statusCode: null, error });
  });

  test('an allowed name is found through the hosts file', async () => {
    const { port } = await receiver((_request, response) => void response.end());
    const http = outgoing({ allowedHosts: ['localhost'] });
    expect((await http.post(`http://localhost:${port}/`, {}, body)).outcome).toBe('DELIVERED');
  });

  test('production never sends without TLS', async () => {
    const { url, seen } = await receiver((_request, response) => void response.end());
    expect((await outgoing({ environment: 'production' }).post(url, {}, body)).error).toBe('INVALID_URL');
    expect(seen.dials).toBe(0);
  });
});

describe('TLS', () => {
  const dayMs = 86_400_000;

  const tomorrow = () => new Date(Date.now() + dayMs);

  test('a trusted certificate for the name is accepted', async () => {
    const { url, cert, resolve } = await tlsReceiver('hooks.example.com', tomorrow());
    expect((await outgoing({ resolve, ca: cert }).post(url, {}, body)).outcome).toBe('DELIVERED');
  });

  test.each([
    ['for another name', 'other.example.com', tomorrow()],
    ['that has expired', 'hooks.example.com', new Date(Date.now() - dayMs)],
  ])('a trusted certificate %s is refused before anything is sent', async (_what, name, until) => {
    const { url, cert, resolve, seen } = await tlsReceiver(name, until);
    const http = outgoing({ resolve, ca: cert });
    const [first, second] = [await http.post(url, {}, body), await http.post(url, {}, body)];
    expect([first.error, second.error]).toEqual(['TLS_ERROR', 'TLS_ERROR']);
    expect(seen.hits).toBe(0);
  });

  test('an untrusted certificate is refused', async () => {
    const { url, resolve, seen } = await tlsReceiver('hooks.example.com', tomorrow());
    expect((await outgoing({ resolve }).post(url, {}, body)).error).toBe('TLS_ERROR');
    expect(seen.hits).toBe(0);
  });

  // In a process of its own: here, changes to the environment do not reach Node's own modules.
  test('the environment cannot switch the check of certificates off', async () => {
    const { url, seen } = await tlsReceiver('127.0.0.1', tomorrow());
    const script = `
      import { createOutgoingHttp } from './dist/outside/outgoing-http.js';
      const http = createOutgoingHttp({ environment: 'production', allowedHosts: ['127.0.0.1'] });
      console.log((await http.post(process.argv[1], {}, Buffer.from('{}'))).error);
      await http.close();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script, url.replace('hooks.example.com', '127.0.0.1')],
      { env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' } },
    );
    expect(stdout.trim()).toBe('TLS_ERROR');
    expect(seen.hits).toBe(0);
  });

  test('https to a receiver that speaks plain HTTP is an error of TLS', async () => {
    const { port } = await receiver((_request, response) => void response.end());
    expect((await outgoing().post(`https://127.0.0.1:${port}/`, {}, body)).error).toBe('TLS_ERROR');
  });
});

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-11-21T10:00:00Z');

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['9'.repeat(400), 30 * 86_400_000],
    ['Sat, 21 Nov 2026 10:01:00 GMT', 60_000],
    ['Saturday, 21-Nov-26 10:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['2027', 2_027_000],
    ['soon', null],
    ['Some day GMT', null],
    ['', null],
  ])('%j is %p ms', async (header, retryAfterMs) => {
    const { url } = await receiver(
      (_request, response) => void response.writeHead(503, { 'retry-after': header }).end(),
    );
    const result = await outgoing({ now: () => nowMs }).post(url, {}, body);
    expect(result).toMatchObject({ outcome: 'FAILED', statusCode: 503, retryAfterMs });
  });
});

describe('the excerpt of the answer', () => {
  test.each([
    ['nothing', '', null],
    ['only blanks', ' \r\n\t ', null],
    [
      'control, NUL, bidi and zero-width characters',
      'a\u0000b\u001b[31mc\u202ed\u200be\r\nf',
      'a b [31mc d e f',
    ],
    ['letters and emoji', 'Zoë 日本 🙂', 'Zoë 日本 🙂'],
    ['emoji beyond the limit, none of them halved', '🙂'.repeat(1_200), '🙂'.repeat(1_000)],
    ['an emoji cut by the limit of bytes', `\n\n\n${'🙂'.repeat(1_200)}`, '🙂'.repeat(999)],
    ['bytes that are no text', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
  ])('%s', async (_what, answer, responseExcerpt) => {
    const { url } = await receiver((_request, response) => void response.end(answer));
    expect((await outgoing().post(url, {}, body)).responseExcerpt).toBe(responseExcerpt);
  });
});
