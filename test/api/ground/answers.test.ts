import { createHash } from 'node:crypto';
import { DomainError } from '../../../domain/errors.ts';
import type { IdempotentCall } from '../../../db/idempotency/idempotency.ts';
import { defineEndpoint, type Endpoint } from '../../../api/endpoint.ts';
import { getLiveEndpoint } from '../../../api/health/get-live.ts';
import { getMetricsEndpoint } from '../../../api/health/get-metrics.ts';
import { getReadyEndpoint } from '../../../api/health/get-ready.ts';
import { oddEndpoint, startToy, toyEndpoints } from './toy-api.ts';

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

  test('gives storage the tenant, the key and a fingerprint of method, path and bytes', async () => {
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
    await toy.send('/pets', { ...init, body: '{"name": "Rex"}' });
    await toy.send('/pets', { method: 'POST', body: init.body });
    await toy.stop(1000);
    const fingerprint = createHash('sha256').update('POST /pets\n{"name":"Rex"}').digest();
    expect(calls).toHaveLength(2);
    expect(calls[0]).toEqual({ tenantId: 'tenant-1', key: 'k1', fingerprint });
    expect(calls[1]?.fingerprint).not.toEqual(fingerprint);
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
