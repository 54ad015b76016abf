import { ConnectionFailed, RateLimited, Unavailable, UnexpectedAnswer, Waybill } from '@waybill/client';
import {
  accepts,
  answersAsProxy,
  drops,
  hangs,
  refuses,
  startScriptedServer,
  type Reaction,
} from './scripted-server.ts';

let server: Awaited<ReturnType<typeof startScriptedServer>>;
let waybill: Waybill;

/** Waits that a test can afford. */
const RETRY = { baseMs: 1, capMs: 2 };
const TRANSACTION = {
  asset: 'ETH',
  amount: '1.5',
  blockchainInfo: { destination: '0x1', destinationType: 'CUSTODIAL' },
} as const;
const SHOWN = accepts({ id: 't-1' });

beforeAll(async () => {
  server = await startScriptedServer();
  waybill = new Waybill({
    baseUrl: `${server.url}/`,
    apiKey: 'key',
    partnerKey: 'partner',
    operatorKey: 'operator',
    retry: RETRY,
  });
});
afterAll(async () => await server.stop());

describe('a request without an answer', () => {
  test.each<[string, Reaction]>([
    ['the connection was dropped', drops],
    ['the API is restarted', refuses(503, 'temporarily_unavailable')],
    ['a proxy says that the API is away', answersAsProxy(502)],
  ])('POST: %s: sent again under the same Idempotency-Key, with the same body', async (_what, trouble) => {
    server.follow(trouble, trouble, SHOWN);
    await expect(waybill.transactions.create(TRANSACTION)).resolves.toEqual({ id: 't-1' });
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.seen.map(({ body }) => JSON.parse(body) as unknown)).toEqual(Array(3).fill(TRANSACTION));
  });

  test('a sign-in is not sent again, since each is a session of its own; it sends no key', async () => {
    server.follow(drops, SHOWN);
    const account = { email: 'a@example.com', password: 'seven quiet otters juggle' };
    await expect(waybill.auth.signIn(account)).rejects.toBeInstanceOf(ConnectionFailed);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.headers).not.toHaveProperty('x-api-key');
    expect(server.seen[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  test('a password is not set again by a link, which counts once', async () => {
    server.follow(drops, SHOWN);
    const given = { token: 'x', password: 'seven quiet otters juggle' };
    await expect(waybill.auth.setPassword(given)).rejects.toBeInstanceOf(ConnectionFailed);
    expect(server.seen).toHaveLength(1);
  });

  test('two calls have two keys, and a key that is given is used', async () => {
    server.follow(SHOWN);
    await waybill.transactions.create(TRANSACTION);
    await waybill.transactions.create(TRANSACTION);
    await waybill.transactions.create(TRANSACTION, { idempotencyKey: 'withdrawal-1' });
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('withdrawal-1');
  });

  test('GET, PUT and PATCH that set the same again are sent again', async () => {
    for (const call of [
      async () => await waybill.transactions.get('t-1'),
      async () => await waybill.transactions.patch('t-1', { status: 'CONFIRMED' }),
      async () => await waybill.tenant.putServiceKey({ feature: 'aml_check', provider: 'builtin' }),
    ]) {
      server.follow(drops, SHOWN);
      await expect(call()).resolves.toEqual({ id: 't-1' });
      expect(server.seen).toHaveLength(2);
      expect(server.seen[0]?.headers['idempotency-key']).toBeUndefined();
    }
  });

  test('a change that is refused once it was done is not sent again', async () => {
    for (const call of [
      async () => await waybill.rules.patchDraft('r-1', { rules: [], revision: 1 }),
      async () => await waybill.verifications.patch('v-1', { status: 'VERIFIED' }),
      async () =>
        await waybill.verifications.reviewStep({ id: 'v-1', kind: 'SELFIE' }, { status: 'VERIFIED' }),
    ]) {
      server.follow(drops, SHOWN);
      await expect(call()).rejects.toBeInstanceOf(ConnectionFailed);
      server.follow(refuses(503, 'temporarily_unavailable'), SHOWN);
      await expect(call()).rejects.toBeInstanceOf(Unavailable);
      expect(server.seen).toHaveLength(1);
    }
  });

  test('it is sent again where it certainly did not arrive, whatever it is', async () => {
    let attempts = 0;
    const refused = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    });
    const flaky: typeof fetch = async (...args) => {
      attempts += 1;
      if (attempts === 1) throw refused;
      return await fetch(...args);
    };
    const client = new Waybill({ baseUrl: server.url, retry: RETRY, fetch: flaky });
    server.follow(SHOWN);
    await expect(client.rules.patchDraft('r-1', { rules: [], revision: 1 })).resolves.toEqual({ id: 't-1' });
    expect(attempts).toBe(2);
  });

  test('DELETE: what an earlier attempt has deleted counts as deleted', async () => {
    server.follow(drops, refuses(404, 'not_found'));
    await expect(waybill.transactions.delete('t-1')).resolves.toBeUndefined();
    server.follow(refuses(404, 'not_found'));
    await expect(waybill.transactions.delete('t-1')).rejects.toMatchObject({ status: 404 });
    // Nobody knows which of several.
    server.follow(drops, refuses(404, 'not_found'));
    await expect(waybill.wallets.deleteAll([1, 2])).rejects.toMatchObject({ status: 404 });
    // A revoked key is shown again.
    server.follow(drops, refuses(404, 'not_found'));
    await expect(waybill.tenant.revokeApiKey('k-1')).rejects.toMatchObject({ status: 404 });
  });

  test('an earlier attempt that still runs is waited for; without one, the conflict is told', async () => {
    const running = refuses(409, 'conflict', { 'Retry-After': '0' });
    server.follow(drops, running, running, SHOWN);
    await expect(waybill.wallets.uploadCsv('address,asset,blockchain\n')).resolves.toEqual({ id: 't-1' });
    server.follow(running, SHOWN);
    await expect(waybill.wallets.uploadCsv('address,asset,blockchain\n')).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('in the end, the last trouble is the cause', async () => {
    server.follow(drops);
    await expect(waybill.transactions.get('t-1')).rejects.toMatchObject({
      name: 'ConnectionFailed',
      message: 'GET /transactions/{id}: no answer',
      cause: expect.any(Error),
    });
    expect(server.seen).toHaveLength(5);
    server.follow(answersAsProxy(503));
    await expect(waybill.transactions.get('t-1', { retries: 1 })).rejects.toMatchObject({ status: 503 });
    expect(server.seen).toHaveLength(2);
  });

  test('an answer that breaks off is none', async () => {
    const breaksOff: Reaction = (response) => {
      response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"id":');
      setImmediate(() => response.socket?.destroy());
    };
    server.follow(breaksOff, SHOWN);
    await expect(waybill.transactions.create(TRANSACTION)).resolves.toEqual({ id: 't-1' });
  });

  test('an attempt has a time limit', async () => {
    server.follow(hangs, SHOWN);
    // The second attempt has to be answered within it, also on a machine that has other work.
    await expect(waybill.transactions.get('t-1', { timeoutMs: 1_000 })).resolves.toEqual({ id: 't-1' });
  });
});

describe('Retry-After', () => {
  test('is waited for, and never shortened', async () => {
    server.follow(refuses(429, 'rate_limited', { 'Retry-After': '1' }), SHOWN);
    const startedAt = performance.now();
    await waybill.rules.patchDraft('r-1', { rules: [], revision: 1 });
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  test('may be a date; one that has passed is no wait', async () => {
    const date = new Date(Date.now() - 5_000).toUTCString();
    server.follow(answersAsProxy(503, { 'Retry-After': date }), SHOWN);
    await expect(waybill.transactions.get('t-1')).resolves.toEqual({ id: 't-1' });
  });

  test('that is longer than the caller allows is told at once', async () => {
    server.follow(refuses(429, 'rate_limited', { 'Retry-After': '61' }), SHOWN);
    const refused = waybill.transactions.get('t-1');
    await expect(refused).rejects.toBeInstanceOf(RateLimited);
    await expect(refused).rejects.toMatchObject({ retryAfterMs: 61_000 });
    expect(server.seen).toHaveLength(1);
  });
});

describe('a signal', () => {
  test('ends a call that waits for its answer', async () => {
    const controller = new AbortController();
    const aborted = new Error('the customer left');
    server.follow(() => controller.abort(aborted));
    const call = waybill.transactions.get('t-1', { signal: controller.signal });
    await expect(call).rejects.toBe(aborted);
    expect(server.seen).toHaveLength(1);
  });

  test('ends a call that waits for its next attempt', async () => {
    const controller = new AbortController();
    server.follow((response) => {
      refuses(429, 'rate_limited', { 'Retry-After': '30' })(response);
      setTimeout(() => controller.abort(), 100);
    });
    const startedAt = performance.now();
    const call = waybill.transactions.get('t-1', { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test('that is aborted already sends nothing', async () => {
    server.follow(SHOWN);
    await expect(waybill.transactions.get('t-1', { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(server.seen).toEqual([]);
  });
});

describe('where requests go', () => {
  test('each key goes only where it is read, and none is shown', async () => {
    server.follow(accepts([]));
    await waybill.wallets.list().first(1);
    await waybill.request('GET', '/operator/labels');
    await waybill.partner.get();
    const keys = server.seen.map(({ headers }) => [
      headers['x-api-key'],
      headers['x-operator-key'],
      headers['x-partner-api-key'],
    ]);
    expect(keys).toEqual([
      ['key', undefined, undefined],
      [undefined, 'operator', undefined],
      [undefined, undefined, 'partner'],
    ]);
    expect(JSON.stringify(waybill)).not.toContain('operator');
  });

  test('a redirect is not followed: it would take the key along', async () => {
    server.follow((response) => void response.writeHead(307, { Location: `${server.url}/elsewhere` }).end());
    await expect(waybill.transactions.get('t-1')).rejects.toBeInstanceOf(UnexpectedAnswer);
    expect(server.seen).toHaveLength(1);
  });

  test('parts of a path stay parts, and cannot lead elsewhere', async () => {
    server.follow(accepts({}));
    await waybill.walletIntelligence.check('eip155:1', 'a/b?c#d');
    expect(server.seen[0]?.path).toBe('/kyw/eip155%3A1/a%2Fb%3Fc%23d');
    for (const id of ['', '.', '..'])
      await expect(waybill.transactions.get(id)).rejects.toBeInstanceOf(TypeError);
    expect(server.seen).toHaveLength(1);
  });

  test('several values of a parameter are repeated', async () => {
    server.follow(accepts([]));
    await waybill.transactions.list({ _status: ['PENDING', 'DELIVERED'], q: 'a,b & c' }).first(1);
    expect(server.seen[0]?.path).toBe(
      '/transactions?_status=PENDING&_status=DELIVERED&q=a%2Cb+%26+c&_start=0&_end=1',
    );
  });

  test('the API may lie below a path; what is no address is refused', async () => {
    server.follow(accepts({}));
    await new Waybill({ baseUrl: `${server.url}/waybill/` }).tenant.get();
    expect(server.seen[0]?.path).toBe('/waybill/tenant/me');
    for (const baseUrl of [
      'waybill',
      'ftp://waybill.example',
      'https://a:b@waybill.example',
      'https://w/?x',
    ]) {
      expect(() => new Waybill({ baseUrl })).toThrow(TypeError);
    }
  });
});
