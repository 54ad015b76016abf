import { createHash } from 'node:crypto';
import { DomainError, type ErrorCode } from '../../../domain/errors.ts';
import type { IdempotentCall } from '../../../db/idempotency/idempotent-call.ts';
import { defineEndpoint, type Endpoint } from '../../../api/endpoint.ts';
import { getLiveEndpoint } from '../../../api/health/get-live.ts';
import { getMetricsEndpoint } from '../../../api/health/get-metrics.ts';
import { getReadyEndpoint } from '../../../api/health/get-ready.ts';
import { createLog } from '../../../process/log.ts';
import { PROBLEMS } from '../../../api/errors.ts';
import { KEYED, oddEndpoint, startToy, toyEndpoints } from './toy-api.ts';

const HEALTH = [getLiveEndpoint, getReadyEndpoint, getMetricsEndpoint];

async function odd(handle: Endpoint['handle'], checkResponses = true) {
  const toy = await startToy({ endpoints: [oddEndpoint(handle)], checkResponses });
  const answer = await toy.send('/odd');
  await toy.stop(1000);
  return { ...answer, levels: toy.log.map(({ level }) => level) };
}

describe('the response check', () => {
  const pet = { id: '1', name: 'Rex' };

  test.each([
    ['an undeclared status', { status: 202, body: pet }],
    ['a missing field', { status: 200, body: { id: '1' } }],
    ['an extra field', { status: 200, body: { ...pet, secret: 1 } }],
    ['a field that JSON drops', { status: 200, body: { id: '1', name: undefined } }],
    ['a value of the wrong type', { status: 200, body: { id: 1, name: 'Rex' } }],
    ['no body', { status: 200 }],
    ['an undeclared header', { status: 200, body: pet, headers: { 'X-Other': '1' } }],
  ])('makes %s an internal error with a loud log', async (_what, answer) => {
    const checked = await odd(async () => answer);
    expect(checked.status).toBe(500);
    expect(checked.levels).toContain('fatal');
  });

  test('makes an undocumented refusal one, too', async () => {
    const refuse = async () => {
      throw new DomainError('csv_invalid', 'No.');
    };
    expect((await odd(refuse)).status).toBe(500);
    expect((await odd(refuse, false)).status).toBe(400);
  });

  test('lets what is declared pass unchanged', async () => {
    const checked = await odd(async () => ({ status: 200, body: pet }));
    expect(checked.status).toBe(200);
    expect(checked.headers.get('content-type')).toBe('application/json');
    expect(checked.json).toEqual(pet);
  });

  test('is off in production', async () => {
    const unchecked = await odd(async () => ({ status: 202, body: { ...pet, more: 1 } }), false);
    expect(unchecked.status).toBe(202);
    expect(unchecked.json).toEqual({ ...pet, more: 1 });
  });
});

test('an answer without body has zero bytes', async () => {
  const toy = await startToy();
  const patched = await toy.send('/pets/0190d1a2-7b3c-7def-8123-456789abcdef', {
    method: 'PATCH',
    body: '{}',
  });
  expect([patched.status, patched.text, patched.headers.get('content-length')]).toEqual([200, '', '0']);
  expect(patched.headers.has('content-type')).toBe(false);
  const headers = { 'X-Api-Key': 'key-ADMIN' };
  const deleted = await toy.send('/cages/7', { method: 'DELETE', headers });
  expect([deleted.status, deleted.text, deleted.headers.get('content-length')]).toEqual([204, '', null]);
  await toy.stop(1000);
});

test.each([
  ['count=none', null],
  ['respond-async, count="none"', null],
  ['count=exact', '7'],
  ['xcount=none', '7'],
])('Prefer: %s', async (prefer, total) => {
  const toy = await startToy();
  const { headers } = await toy.send('/pets', { headers: { Prefer: prefer } });
  expect(headers.get('x-total-count')).toBe(total);
  await toy.stop(1000);
});

describe('an Idempotency-Key', () => {
  const init = { method: 'POST', body: '{"name":"Rex"}', headers: { 'Idempotency-Key': 'k1' } };

  test('gives storage the tenant, the key and fingerprints of method, path and body: a keyed one, and the plain ones of the version before', async () => {
    const calls: IdempotentCall[] = [];
    const toy = await startToy({
      deps: {
        answerOnce: async ({ call, run }) => {
          calls.push(call);
          return run();
        },
      },
    });
    await toy.send('/pets', init);
    await toy.send('/pets', { ...init, body: '{"weight": 1.0, "name": "Rex"}' });
    await toy.send('/pets', { ...init, body: '{"name":"Rex","weight":1}' });
    await toy.send('/pets', { ...init, body: '{"name":"Rex","weight":1e400}' });
    await toy.send('/pets', { ...init, body: '{"name":"Rex",' });
    await toy.send('/pets', { ...init, body: '{"name":"Rex", ' });
    await toy.send('/pets', { method: 'POST', body: init.body });
    await toy.stop(1000);
    const sha256 = (body: string) => createHash('sha256').update(`POST /pets\n${body}`).digest();
    const plain = sha256('{"name":"Rex"}');
    const keyed = (body: string) => Buffer.concat([KEYED, sha256(body)]);
    expect(calls).toHaveLength(6);
    expect(calls[0]).toEqual({
      tenantId: 'tenant-1',
      key: 'k1',
      fingerprint: keyed('{"name":"Rex"}'),
      otherFingerprints: [plain, plain],
    });
    expect(calls[1]?.otherFingerprints?.[1]).toEqual(sha256('{"weight": 1.0, "name": "Rex"}'));
    const canonical = keyed('{"name":"Rex","weight":1}');
    expect(calls.slice(1, 3).map((call) => call.fingerprint)).toEqual([canonical, canonical]);
    // What has no canonical form is compared by its bytes.
    for (const { otherFingerprints = [] } of calls.slice(3))
      expect(otherFingerprints[0]).toEqual(otherFingerprints[1]);
  });

  test('lets storage answer instead, byte for byte, and see a refusal of the body', async () => {
    const seen: unknown[] = [];
    const toy = await startToy({
      deps: {
        answerOnce: async ({ run }) => {
          await run().catch((error: unknown) => seen.push(error));
          const headers = { 'Content-Type': 'application/json', 'Idempotency-Replayed': 'true' };
          return { status: 201, body: Buffer.from('{"kept": true}'), headers };
        },
      },
    });
    const answer = await toy.send('/pets', { ...init, body: '{"name":1}' });
    await toy.stop(1000);
    expect(answer.text).toBe('{"kept": true}');
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
    expect(seen).toMatchObject([{ code: 'validation_failed' }]);
  });

  test.each(['x'.repeat(256), 'a b'])('%s is refused', async (key) => {
    const toy = await startToy();
    const answer = await toy.send('/pets', { ...init, headers: { 'Idempotency-Key': key } });
    await toy.stop(1000);
    expect(answer.json).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/Idempotency-Key' }],
    });
  });
});

describe('health', () => {
  const fine = { database: true, migrations: true, masterKey: true };

  test('live answers whatever else is wrong', async () => {
    const toy = await startToy({
      endpoints: HEALTH,
      deps: { isReady: () => Promise.reject(new Error('down')) },
    });
    const answer = await toy.send('/health/live');
    expect([answer.status, answer.json]).toEqual([200, { status: 'ok' }]);
    await toy.stop(1000);
  });

  test.each([
    [{ checks: fine, degraded: [] }, 200, 'ok'],
    [{ checks: fine, degraded: ['temporal', 'prices'] }, 200, 'ok'],
    [{ checks: { ...fine, database: false }, degraded: [] }, 503, 'unavailable'],
    [{ checks: { ...fine, migrations: false }, degraded: [] }, 503, 'unavailable'],
    [{ checks: { ...fine, masterKey: false }, degraded: [] }, 503, 'unavailable'],
  ])('ready for %j is %i', async (report, status, word) => {
    const toy = await startToy({ endpoints: HEALTH, deps: { isReady: async () => report } });
    const answer = await toy.send('/health/ready');
    expect([answer.status, answer.json]).toEqual([status, { status: word, ...report }]);
    await toy.stop(1000);
  });

  test('health and metrics are limited per address, together', async () => {
    const toy = await startToy({ endpoints: HEALTH, config: { RATE_LIMIT_ANONYMOUS: 3 } });
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await toy.send(path)).status).toBe(200);
    }
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await toy.send(path)).status).toBe(429);
    }
    await toy.stop(1000);
  });

  test('metrics count by the pattern of the path, so that callers cannot add series', async () => {
    const toy = await startToy({ endpoints: [...toyEndpoints, ...HEALTH] });
    await toy.send('/pets/0190d1a2-7b3c-7def-8123-456789abcdef');
    await toy.send('/pets/1');
    await toy.send('/random/1');
    await toy.send('/random/2');
    const { text, headers } = await toy.send('/metrics');
    await toy.stop(1000);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    const counts = text.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'));
    expect(counts).toEqual([
      'http_request_duration_seconds_count{method="GET",route="/pets/{id}",status="200"} 1',
      'http_request_duration_seconds_count{method="GET",route="/pets/{id}",status="404"} 1',
      'http_request_duration_seconds_count{method="GET",route="none",status="404"} 2',
    ]);
    expect(text).toContain('process_cpu_seconds_total');
  });
});

test('an endpoint whose path and params differ cannot be declared', () => {
  const declare = () =>
    defineEndpoint({
      operationId: 'answerPetsId',
      method: 'GET',
      path: '/pets/{id}',
      auth: 'NONE',
      limit: 'READS',
      tag: 'Pets',
      summary: 'x',
      responses: {},
      errors: [],
      handle: async () => ({ status: 200 }),
    });
  expect(declare).toThrow('/pets/{id}');
});

test('a POST that does not say how its repeat is answered cannot be declared', () => {
  const declare = () =>
    defineEndpoint({
      operationId: 'answerPetsFeed',
      method: 'POST',
      path: '/pets/feed',
      auth: 'TENANT',
      limit: 'WRITES',
      tag: 'Pets',
      summary: 'x',
      responses: {},
      errors: [],
      handle: async () => ({ status: 200 }),
    });
  expect(declare).toThrow('/pets/feed: a POST declares its idempotency');
});

describe('errors', () => {
  const SECRET = 'Zephyrine Müller';

  /** What a handler throws, as the caller gets it and as the log has it. */
  async function thrown(error: unknown) {
    const toy = await startToy({
      checkResponses: false,
      endpoints: [
        oddEndpoint(async () => {
          throw error;
        }),
      ],
    });
    const answer = await toy.send('/odd');
    await toy.stop(1000);
    return { ...answer, log: JSON.stringify(toy.log) };
  }

  function driverError(message: string, code?: string) {
    const error = new Error(message);
    const rest = { detail: `Key (name)=(${SECRET}) exists.`, where: SECRET, hint: SECRET };
    return Object.assign(error, rest, code && { code });
  }

  test('every code is a problem document with its own status', async () => {
    for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
      const answer = await thrown(new DomainError(code as ErrorCode, 'Because.'));
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.json).toMatchObject({ code, status, title, detail: 'Because.', errors: [] });
      expect(answer.json['type']).toBe(`/docs#errors-${code}`);
    }
  });

  test('additional members are added but never replace those of the problem', async () => {
    const members = { allowed: ['CANCELLED'], status: 200, code: 'other', requestId: 'x' };
    const { status, json } = await thrown(new DomainError('invalid_transition', 'No.', { members }));
    expect(status).toBe(409);
    expect(json).toMatchObject({ allowed: ['CANCELLED'], status: 409, code: 'invalid_transition' });
    expect(json['requestId']).not.toBe('x');
  });

  test('a refusal may say when to come back', async () => {
    const { headers } = await thrown(new DomainError('conflict', 'Still running.', { retryAfterSeconds: 7 }));
    expect(headers.get('retry-after')).toBe('7');
  });

  describe('503: trouble with the database passes', () => {
    test.each([
      ['connection refused', driverError('connect ECONNREFUSED', 'ECONNREFUSED')],
      ['connection reset', driverError('read ECONNRESET', 'ECONNRESET')],
      ['all addresses refused', Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })],
      ['shut down by the administrator', driverError('terminating connection', '57P01')],
      ['starting up', driverError('the database system is starting up', '57P03')],
      ['connection exception', driverError('connection failure', '08006')],
      ['too many connections', driverError('sorry, too many clients already', '53300')],
      ['deadlock after retries', driverError('deadlock detected', '40P01')],
      ['pool exhausted', driverError('timeout exceeded when trying to connect')],
      ['connection lost', driverError('Connection terminated unexpectedly')],
      ['wrapped', new Error('find failed', { cause: driverError('x', '57P02') })],
    ])('%s', async (_what, error) => {
      const answer = await thrown(error);
      expect(answer.status).toBe(503);
      expect(answer.json).toMatchObject({ code: 'temporarily_unavailable' });
      expect(answer.headers.get('retry-after')).toBe('2');
      expect(answer.log).not.toContain(SECRET);
    });
  });

  describe('500: anything else is ours', () => {
    test.each([
      ['a duplicate that nobody foresaw', driverError(`duplicate key (${SECRET})`, '23505')],
      ['a value that the database refuses', driverError(`invalid input syntax: "${SECRET}"`, '22P02')],
      ['a message of several lines', driverError(`first\n${SECRET}\n    at ${SECRET}`)],
      ['a programming error', new TypeError(`${SECRET} is not a function`)],
      ['not even an error', SECRET],
      ['nothing', undefined],
    ])('%s: neither caller nor log learns a value', async (_what, error) => {
      const answer = await thrown(error);
      expect(answer.status).toBe(500);
      expect(answer.json).toMatchObject({ code: 'internal' });
      expect(answer.text + answer.log).not.toContain(SECRET);
      expect(answer.log).toContain(String(answer.json['requestId']));
    });

    test('the log has name, code and stack', async () => {
      const { log } = await thrown(driverError('x', '23505'));
      expect(log).toMatch(/"err":\{"name":"Error","code":"23505","stack":\["at driverError/);
    });
  });

  test('secrets are redacted by name, however deep and however spelt', () => {
    const lines: string[] = [];
    const log = createLog('test', 'info', { write: (line) => void lines.push(line) });
    log.info({ headers: { 'X-Api-Key': SECRET }, list: [{ a: { password: SECRET } }] });
    log.child({ requestId: '1' }).info({ token: SECRET, kept: 'yes' });
    expect(lines.join('')).not.toContain(SECRET);
    expect(JSON.parse(lines[1] as string)).toMatchObject({
      token: '[redacted]',
      kept: 'yes',
      requestId: '1',
    });
  });

  test('the log of a request has its pattern, never path, query, body or key', async () => {
    const toy = await startToy();
    await toy.send(`/pets?q=${encodeURIComponent(SECRET)}`);
    await toy.send('/pets/0190d1a2-7b3c-7def-8123-456789abcdef');
    await toy.send('/pets', { method: 'POST', body: JSON.stringify({ name: SECRET }) });
    await toy.send(`/${encodeURIComponent(SECRET)}`);
    await toy.stop(1000);
    const lines = toy.log.filter(({ msg }) => msg === 'request');
    expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/pets', 200],
      ['GET', '/pets/{id}', 200],
      ['POST', '/pets', 201],
      ['GET', 'none', 404],
    ]);
    expect(lines[0]).toMatchObject({ tenantId: 'tenant-1', apiKeyId: 'id-of-COMPLIANCE' });
    expect(lines[0]).toHaveProperty('requestId');
    expect(lines[0]).toHaveProperty('durationMs');
    const all = JSON.stringify(toy.log);
    for (const hidden of [SECRET, encodeURIComponent(SECRET), '0190d1a2', 'key-COMPLIANCE']) {
      expect(all).not.toContain(hidden);
    }
  });
});
