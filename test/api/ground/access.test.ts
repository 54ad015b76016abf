import type { TenantCaller } from '../../../api/caller.ts';
import { OPERATOR_KEY, startToy, tenantCaller, toyEndpoints, type Toy } from './toy-api.ts';

const PET = '/pets/0190d1a2-7b3c-7def-8123-456789abcdef';
const ORIGIN = 'https://console.example.com';
let toy: Toy;

beforeAll(async () => {
  toy = await startToy({ config: { CORS_ORIGINS: [ORIGIN] } });
});
afterAll(() => toy.stop(1000));

/** A caller whose tenant has limits of its own. */
function callerWith(rateLimits: TenantCaller['tenant']['rateLimits']): TenantCaller {
  const caller = tenantCaller('ADMIN');
  return { ...caller, tenant: { ...caller.tenant, rateLimits } };
}

const withKey = (key: string, init: RequestInit = {}) => ({ ...init, headers: { 'X-Api-Key': key } });

describe('401', () => {
  test.each([
    ['no key', ''],
    ['an unknown key', 'nope'],
    ['two keys', 'key-ADMIN, key-ADMIN'],
    ["an operator's key", OPERATOR_KEY],
  ])('%s', async (_what, key) => {
    const answer = await toy.send(PET, withKey(key));
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject({ code: 'unauthenticated' });
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey');
  });

  test("a tenant's key opens nothing of the operator's", async () => {
    expect((await toy.send('/pets/preview', { method: 'POST' })).status).toBe(401);
    const headers = { 'X-Operator-Key': OPERATOR_KEY };
    const answer = await toy.send('/pets/preview', { method: 'POST', headers });
    expect(answer.json).toEqual({ caller: 'OPERATOR' });
  });

  test('comes before anything that is said about the request', async () => {
    const body = 'x'.repeat(400_000);
    const answer = await toy.send('/pets/nonsense?a=b', withKey('nope', { method: 'PATCH', body }));
    expect(answer.status).toBe(401);
  });
});

describe('403: the least role', () => {
  test.each([
    ['GET', PET, 'OBSERVER', 200],
    ['PATCH', PET, 'OBSERVER', 403],
    ['PATCH', PET, 'COMPLIANCE', 200],
    ['DELETE', '/cages/7', 'COMPLIANCE', 403],
    ['DELETE', '/cages/7', 'ADMIN', 204],
  ])('%s %s by %s is %i', async (method, path, role, status) => {
    const answer = await toy.send(path, withKey(`key-${role}`, { method }));
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.json).toMatchObject({ code: 'forbidden' });
  });
});

describe('404', () => {
  test('an unknown path', async () => {
    const answer = await toy.send('/nothing/here');
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ code: 'not_found', type: '/docs#errors-not_found' });
  });

  test.each([
    ['PUT', PET, 'GET, HEAD, PATCH'],
    ['POST', PET, 'GET, HEAD, PATCH'],
    ['OPTIONS', PET, 'GET, HEAD, PATCH'],
    ['GET', '/pets/preview', 'POST'],
    ['HEAD', '/pets/preview', 'POST'],
  ])('%s %s: a known path without that method tells those it has', async (method, path, allow) => {
    const answer = await toy.send(path, { method });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('allow')).toBe(allow);
  });

  test('paths are case-sensitive', async () => {
    expect((await toy.send('/Pets')).status).toBe(404);
  });
});

test('HEAD answers what GET would, without the body', async () => {
  const get = await toy.send(PET);
  const head = await toy.send(PET, { method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(head.text).toBe('');
  expect(head.headers.get('content-length')).toBe(String(get.text.length));
});

describe('the request id', () => {
  test.each(['a', 'A-z_0.9', 'x'.repeat(128)])('%s is kept', async (id) => {
    const { headers, json } = await toy.send('/nothing', { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toBe(id);
    expect(json).toMatchObject({ requestId: id, instance: `/requests/${id}` });
  });

  test.each(['', 'x'.repeat(129), 'a b', 'a/b', '<script>', 'é'])('%j is replaced', async (id) => {
    const { headers } = await toy.send(PET, { headers: { 'X-Request-Id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('headers of every answer', () => {
  test.each([PET, '/nothing', '/openapi.json'])('%s is not cached, framed, sniffed or run', async (path) => {
    const { headers } = await toy.send(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(headers.has('x-powered-by')).toBe(false);
    expect(headers.has('etag')).toBe(false);
  });
});

describe('CORS', () => {
  const preflight = { Origin: ORIGIN, 'Access-Control-Request-Method': 'PATCH' };

  test('a configured origin may call and read the headers that matter', async () => {
    const { headers } = await toy.send(PET, { headers: { Origin: ORIGIN } });
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-expose-headers')).toContain('X-Total-Count');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toContain('Origin');
  });

  test('its preflight needs no key', async () => {
    const answer = await toy.send(PET, { method: 'OPTIONS', headers: { ...preflight, 'X-Api-Key': '' } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(answer.headers.get('access-control-allow-headers')).toContain('X-Api-Key');
  });

  test('refusals can be read too', async () => {
    const { headers } = await toy.send(PET, { headers: { Origin: ORIGIN, 'X-Api-Key': 'nope' } });
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });

  test.each(['https://evil.example.com', `${ORIGIN}.evil.com`, 'null'])('%s gets nothing', async (origin) => {
    const call = await toy.send(PET, { headers: { Origin: origin } });
    expect(call.headers.get('access-control-allow-origin')).toBeNull();
    const asked = await toy.send(PET, { method: 'OPTIONS', headers: { ...preflight, Origin: origin } });
    expect(asked.status).toBe(404);
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('429: the budget of an API key', () => {
  test('is counted per key and kind, told in headers, and answered with Retry-After when spent', async () => {
    const limited = await startToy({ config: { RATE_LIMIT_READS: 2 } });
    const first = await limited.send(PET);
    expect(first.headers.get('ratelimit')).toMatch(/^"reads"; r=1; t=\d+$/);
    expect(first.headers.get('ratelimit-policy')).toMatch(/^"reads"; q=2; w=60/);
    await limited.send('/pets');
    const third = await limited.send(PET);
    expect(third.status).toBe(429);
    expect(third.json).toMatchObject({ code: 'rate_limited' });
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.send(PET, withKey('key-ADMIN'))).status).toBe(200);
    expect((await limited.send(PET, { method: 'PATCH' })).status).toBe(200);
    await limited.stop(1000);
  });

  test('is checked before the body is looked at', async () => {
    const limited = await startToy({ config: { RATE_LIMIT_WRITES: 1 } });
    const broken = { method: 'POST', body: '{' };
    expect((await limited.send('/pets', broken)).status).toBe(400);
    expect((await limited.send('/pets', broken)).status).toBe(429);
    await limited.stop(1000);
  });

  test('0 switches it off, and a tenant may have its own', async () => {
    const limited = await startToy({
      config: { RATE_LIMIT_READS: 0 },
      deps: { authenticateTenant: async (key) => callerWith(key === 'key-ADMIN' ? { READS: 1 } : {}) },
    });
    const unlimited = await limited.send(PET);
    expect(unlimited.status).toBe(200);
    expect(unlimited.headers.has('ratelimit')).toBe(false);
    await limited.send(PET, withKey('key-ADMIN'));
    expect((await limited.send(PET, withKey('key-ADMIN'))).status).toBe(429);
    await limited.stop(1000);
  });

  test('does not hold back callers without a key', async () => {
    const limited = await startToy({ config: { RATE_LIMIT_READS: 1 }, endpoints: toyEndpoints });
    for (let times = 0; times < 3; times += 1) {
      expect((await limited.send(PET, withKey('nope'))).status).toBe(401);
    }
    await limited.stop(1000);
  });
});
