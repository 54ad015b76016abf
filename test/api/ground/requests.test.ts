import { connect } from 'node:net';
import { DomainError } from '../../../domain/errors.ts';
import type { TenantCaller } from '../../../api/caller.ts';
import {
  OPERATOR_KEY,
  startToy,
  tenantCaller,
  toyEndpoints,
  handled,
  TENANT_KEY,
  type Toy,
} from './toy-api.ts';

/** A caller whose tenant has limits of its own. */
function callerWith(rateLimits: TenantCaller['tenant']['rateLimits']): TenantCaller {
  const caller = tenantCaller('ADMIN');
  return { ...caller, tenant: { ...caller.tenant, rateLimits } };
}

describe('access and headers', () => {
  const PET = '/pets/0190d1a2-7b3c-7def-8123-456789abcdef';
  const ORIGIN = 'https://console.example.com';
  let toy: Toy;

  beforeAll(async () => {
    toy = await startToy({ config: { CORS_ORIGINS: [ORIGIN] } });
  });
  afterAll(() => toy.stop(1000));

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
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey, Bearer');
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

  test('404: an unknown path', async () => {
    const answer = await toy.send('/nothing/here');
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ code: 'not_found', type: '/docs#errors-not_found' });
  });

  describe('405', () => {
    test.each([
      ['PUT', PET, 'GET, HEAD, PATCH'],
      ['POST', PET, 'GET, HEAD, PATCH'],
      ['OPTIONS', PET, 'GET, HEAD, PATCH'],
      ['GET', '/pets/preview', 'POST'],
      ['HEAD', '/pets/preview', 'POST'],
      ['POST', '/docs', 'GET, HEAD'],
      ['DELETE', '/openapi.json', 'GET, HEAD'],
      ['POST', '/wallet', 'GET, HEAD'],
    ])('%s %s: a known path without that method tells those it has', async (method, path, allow) => {
      const answer = await toy.send(path, { method });
      expect(answer.status).toBe(405);
      if (method !== 'HEAD') expect(answer.json).toMatchObject({ code: 'method_not_allowed' });
      expect(answer.headers.get('allow')).toBe(allow);
    });
  });

  test('404: paths are case-sensitive', async () => {
    expect((await toy.send('/Pets')).status).toBe(404);
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
    test.each([PET, '/nothing', '/openapi.json'])(
      '%s is not cached, framed, sniffed or run',
      async (path) => {
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
      },
    );
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

    test.each(['https://evil.example.com', `${ORIGIN}.evil.com`, 'null'])(
      '%s gets nothing',
      async (origin) => {
        const call = await toy.send(PET, { headers: { Origin: origin } });
        expect(call.headers.get('access-control-allow-origin')).toBeNull();
        const asked = await toy.send(PET, { method: 'OPTIONS', headers: { ...preflight, Origin: origin } });
        expect(asked.status).toBe(405);
        expect(asked.headers.get('access-control-allow-origin')).toBeNull();
      },
    );
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

    test('refused keys are counted per address: then only keys that were just good are heard', async () => {
      let asked = 0;
      const limited = await startToy({
        config: { RATE_LIMIT_ANONYMOUS: 2 },
        deps: {
          authenticateTenant: async (key) => {
            asked += 1;
            if (!key.startsWith('key-')) throw new DomainError('unauthenticated', 'No.');
            return await Promise.resolve(tenantCaller('ADMIN'));
          },
          recallTenant: (key) => (key === 'key-ADMIN' ? tenantCaller('ADMIN') : undefined),
        },
      });
      const statusOf = async (key: string) => (await limited.send(PET, withKey(key))).status;
      expect([await statusOf('nope'), await statusOf('key-OBSERVER'), await statusOf('none')]).toEqual([
        401, 200, 401,
      ]);
      const refused = await limited.send(PET, withKey('nothing'));
      expect([refused.status, refused.json['code']]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect([await statusOf('key-OBSERVER'), asked]).toEqual([429, 3]);
      expect([await statusOf('key-ADMIN'), asked]).toEqual([200, 4]);
      await limited.stop(1000);
    });

    test.each([
      ['no API key', 'GET', PET, {}],
      ['no API key for a write that checks it by itself', 'POST', '/pets', {}],
      ['no operator key', 'POST', '/pets/preview', {}],
      ['a wrong operator key', 'POST', '/pets/preview', { 'X-Operator-Key': 'nope' }],
    ])('%s counts for the address as well; good keys are heard on', async (_name, method, path, headers) => {
      const limited = await startToy({
        config: { RATE_LIMIT_ANONYMOUS: 2 },
        deps: { recallTenant: (key) => (key === 'key-ADMIN' ? tenantCaller('ADMIN') : undefined) },
        endpoints: toyEndpoints.map((endpoint) => ({
          ...endpoint,
          checksKeyAtWrite: endpoint.method === 'POST' && endpoint.auth === 'TENANT',
        })),
      });
      const statuses: number[] = [];
      for (let times = 0; times < 4; times += 1)
        statuses.push(
          (await limited.send(path, { method, headers: { 'X-Api-Key': '', ...headers } })).status,
        );
      expect(statuses).toEqual([401, 401, 429, 429]);
      expect((await limited.send(PET, withKey('key-ADMIN'))).status).toBe(200);
      const operator = { method: 'POST', headers: { 'X-Operator-Key': OPERATOR_KEY } };
      expect((await limited.send('/pets/preview', operator)).status).toBe(200);
      await limited.stop(1000);
    });

    test('an error that is not the key counts for nobody, and 0 is no limit', async () => {
      const down = { authenticateTenant: async () => await Promise.reject(new Error('down')) };
      const limited = await startToy({ config: { RATE_LIMIT_ANONYMOUS: 1 }, deps: down });
      for (const _time of [1, 2, 3]) expect((await limited.send(PET)).status).toBe(500);
      await limited.stop(1000);
      const open = await startToy({ config: { RATE_LIMIT_ANONYMOUS: 0 } });
      for (const _time of [1, 2, 3]) expect((await open.send(PET, withKey('nope'))).status).toBe(401);
      await open.stop(1000);
    });

    test('does not hold back callers without a key', async () => {
      const limited = await startToy({ config: { RATE_LIMIT_READS: 1 }, endpoints: toyEndpoints });
      for (let times = 0; times < 3; times += 1) {
        expect((await limited.send(PET, withKey('nope'))).status).toBe(401);
      }
      await limited.stop(1000);
    });
  });
});

describe('bodies, parameters and ids', () => {
  const CANARY = 'Zephyrine';
  let toy: Toy;

  beforeAll(async () => {
    toy = await startToy();
  });
  afterAll(() => toy.stop(1000));
  beforeEach(() => {
    handled.length = 0;
  });

  function post(body: string | Buffer, headers: Record<string, string> = {}) {
    return toy.send('/pets', { method: 'POST', body: body as NonNullable<RequestInit['body']>, headers });
  }

  /** Sends raw HTTP and gives everything that comes back. */
  function raw(text: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(Number(new URL(toy.url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('error', () => resolve(answer));
      socket.on('close', () => resolve(answer));
    });
  }

  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const named = (rest: string) => `{"name":"${CANARY}",${rest}}`;
  const manyFields = (count: number) => Array.from({ length: count }, (_, at) => `"f${at}":1`).join(',');

  describe('400 and 413: a body that cannot be used is refused with code, pointer and request id', () => {
    test.each([
      ['no JSON at all', 'hello', 'malformed_json', ''],
      ['cut off', '{"name":"x"', 'malformed_json', ''],
      ['empty where one is required', '', 'malformed_json', ''],
      ['only a byte order mark', '\ufeff', 'malformed_json', ''],
      ['10^5 levels deep', deep(100_000), 'validation_failed', ''],
      ['10^3 levels deep', deep(1_000), 'validation_failed', '/0'.repeat(32)],
      [
        '10^5 levels deep where the schema is recursive',
        named(`"nest":${deep(100_000)}`),
        'validation_failed',
        '',
      ],
      ['33 levels deep', named(`"tags":${deep(32)}`), 'validation_failed', `/tags${'/0'.repeat(31)}`],
      ['2,000 objects', named(`"tags":[${'{},'.repeat(1_998)}{}]`), 'validation_failed', ''],
      ['2,000 fields', named(manyFields(2_000)), 'validation_failed', ''],
      ['many lists within lists', `[${deep(900)}${`,${deep(900)}`.repeat(2)}]`, 'validation_failed', ''],
      ['a name twice', named(`"kind":"CAT","name":"x"`), 'malformed_json', ''],
      ['a name twice inside', named('"owner":{"country":"CH","country":"DE"}'), 'malformed_json', ''],
      ['a name twice, once escaped', named(String.raw`"n\u0061me":"x"`), 'malformed_json', ''],
      ['__proto__ twice', named('"__proto__":1,"__proto__":2'), 'malformed_json', ''],
      ['a list instead of an object', '[]', 'validation_failed', ''],
      ['null', 'null', 'validation_failed', ''],
      ['a missing field', '{}', 'validation_failed', '/name'],
      ['a wrong type', '{"name":7}', 'validation_failed', '/name'],
      ['an unknown field', named('"colour":"red"'), 'validation_failed', '/colour'],
      [
        'an unknown field inside',
        named('"owner":{"country":"CH","a/b~":1}'),
        'validation_failed',
        '/owner/a~1b~0',
      ],
      ['an unknown enum value', named('"kind":"FISH"'), 'validation_failed', '/kind'],
      ['__proto__', named('"__proto__":{"admin":true}'), 'validation_failed', '/__proto__'],
      [
        '__proto__ inside',
        named('"owner":{"country":"CH","__proto__":1}'),
        'validation_failed',
        '/owner/__proto__',
      ],
      ['constructor', named('"constructor":1'), 'validation_failed', '/constructor'],
      ['toString', named('"toString":1'), 'validation_failed', '/toString'],
      ['NUL in a string', named('"tags":["a\\u0000b"]'), 'validation_failed', '/tags/0'],
      ['a lone surrogate', '{"name":"\\ud800"}', 'validation_failed', '/name'],
      ['a lone surrogate in a name', named('"\\udc00":1'), 'validation_failed', '/\udc00'],
      ['an empty string', '{"name":""}', 'validation_failed', '/name'],
      ['an overflowing number', named('"weight":1e400'), 'validation_failed', '/weight'],
      ['an impossible date', named('"born":"2026-02-30T00:00:00Z"'), 'validation_failed', '/born'],
      ['neither of two types', named('"price":true'), 'validation_failed', '/price'],
      ['a megabyte', JSON.stringify({ name: 'x'.repeat(1_000_000) }), 'payload_too_large', ''],
    ])('%s', async (_what, body, code, pointer) => {
      const answer = await post(body);
      expect(answer.status).toBe(code === 'payload_too_large' ? 413 : 400);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.json).toMatchObject({ code, status: answer.status, errors: [{ pointer }] });
      expect(answer.json['requestId']).toBe(answer.headers.get('x-request-id'));
      expect(answer.text).not.toContain(CANARY);
      expect(handled).toEqual([]);
    });

    test('every fault is named, and a missing field is told from one of the wrong type', async () => {
      const { json } = await post('{"kind":"FISH","weight":"1","owner":{},"x":1,"y":2}');
      const errors = json['errors'] as { pointer: string; code: string }[];
      expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
        '/name required',
        '/kind invalid_value',
        '/weight invalid_type',
        '/owner/country required',
        '/x unknown_field',
        '/y unknown_field',
      ]);
    });

    test('the text names the first fault and says how many others there are', async () => {
      const first = await post('{"kind":"FISH","x":1}');
      expect(first.json['detail']).toBe('/name: This field is required. (2 more faults)');
      const one = await post('{"name":"x","owner":{"country":"CHE"}}');
      expect(one.json['detail']).toBe('/owner/country: The text has at most 2 characters.');
      const query = await toy.send('/pets?_start=-1');
      expect(query.json['detail']).toBe('/_start: A whole number is expected.');
    });

    test.each([
      ['a field', '{"name":"x","na_me":1}', 'There is no such field; name was probably meant.'],
      [
        'a field inside',
        '{"name":"x","owner":{"country":"CH","contry":1}}',
        'There is no such field; country was probably meant.',
      ],
      [
        'a field unlike any',
        '{"name":"x","owner":{"country":"CH","x":1}}',
        'There is no such field; there is country.',
      ],
      [
        'a very long one',
        `{"name":"x","${'country'.repeat(500)}":1}`,
        'There is no such field; there is name,',
      ],
    ])('an unknown name comes with the one that was probably meant: %s', async (_what, body, text) => {
      const { json } = await post(body);
      const [error] = json['errors'] as { message: string }[];
      expect(error?.message.startsWith(text)).toBe(true);
      expect(String(json['detail']).length).toBeLessThan(500);
    });

    test('so does an unknown filter', async () => {
      const { json } = await toy.send('/pets?kind=CAT');
      expect(json['detail']).toBe('/kind: There is no such field; _kind was probably meant.');
    });

    test('at most 100 faults are listed', async () => {
      const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, '']));
      const { json } = await post(JSON.stringify(many));
      expect(json['errors']).toHaveLength(100);
    });

    test('bytes that are not UTF-8 are not guessed at', async () => {
      const answer = await post(Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')]));
      expect(answer.json).toMatchObject({ code: 'malformed_json' });
    });

    test('quotes, colons and brackets in texts count as texts', async () => {
      const tags = [String.raw`{"a":1,"a":2} \ " : [[`, '\\', '":"', '}}'];
      const { json } = await post(JSON.stringify({ name: CANARY, tags, owner: { country: 7 } }));
      expect(json).toMatchObject({ errors: [{ pointer: '/owner/country' }] });
    });

    test('32 levels are accepted by the parser', async () => {
      const { json } = await post(named(`"tags":${deep(31)}`));
      expect(json).toMatchObject({ errors: [{ pointer: '/tags/0', code: 'invalid_type' }] });
    });
  });

  describe('413: the limit holds whatever the length header says', () => {
    const big = 'x'.repeat(300_000);

    test('chunked, without a length', async () => {
      const body = new ReadableStream({
        start(controller) {
          for (let at = 0; at < 30; at += 1) controller.enqueue(Buffer.alloc(10_000, 'x'));
          controller.close();
        },
      });
      const answer = await toy.send('/pets', { method: 'POST', body, duplex: 'half' });
      expect(answer.status).toBe(413);
      expect(answer.json).toMatchObject({ code: 'payload_too_large', errors: [{ pointer: '' }] });
    });

    test('a length that is announced but not sent is refused without waiting for it', async () => {
      const answer = await raw(
        `POST /pets HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TENANT_KEY}\r\nContent-Type: application/json\r\n` +
          `Content-Length: 300000\r\nConnection: close\r\n\r\n{`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    });

    test('more bytes than announced are not taken for another request', async () => {
      const answer = await raw(
        `POST /pets HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${TENANT_KEY}\r\nContent-Type: application/json\r\n` +
          `Content-Length: 15\r\n\r\n{"name":"rexy"}${big}`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 201 /);
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
      expect(handled).toEqual([{ name: 'rexy' }]);
    });
  });

  describe('415: only JSON in UTF-8', () => {
    test.each([
      [{ 'Content-Type': 'text/plain' }],
      [{ 'Content-Type': 'application/x-www-form-urlencoded' }],
      [{ 'Content-Type': 'application/jsonp' }],
      [{ 'Content-Type': 'application/json; charset=latin1' }],
      [{ 'Content-Encoding': 'gzip' }],
    ])('%j', async (headers) => {
      const answer = await post(named('"weight":1'), headers as Record<string, string>);
      expect(answer.status).toBe(415);
      expect(answer.json).toMatchObject({ code: 'unsupported_media_type', errors: [{ pointer: '' }] });
      expect(handled).toEqual([]);
    });

    test.each(['application/json', 'Application/JSON; Charset="UTF-8"', 'application/merge-patch+json'])(
      '%s is taken',
      async (type) => {
        expect((await post('{"name":"Rex"}', { 'Content-Type': type })).status).toBe(201);
      },
    );
  });

  describe('an absent body', () => {
    const path = '/pets/0190d1a2-7b3c-7def-8123-456789abcdef';

    test('is an empty object where it is optional', async () => {
      expect((await toy.send(path, { method: 'PATCH' })).status).toBe(200);
    });

    test('is all that an endpoint without body takes, or {}', async () => {
      const cage = (body?: string) =>
        toy.send('/cages/7', {
          method: 'DELETE',
          headers: { 'X-Api-Key': 'key-ADMIN' },
          ...(body && { body }),
        });
      expect((await cage()).status).toBe(204);
      expect((await cage('{}')).status).toBe(204);
      expect((await cage('{"a":1}')).json).toMatchObject({
        errors: [{ pointer: '/a', code: 'unknown_field' }],
      });
    });
  });

  describe('400: a query parameter that cannot be used is refused with its name', () => {
    test.each([
      ['unknown=1', '/unknown'],
      ['__proto__=1', '/__proto__'],
      ['constructor=1', '/constructor'],
      ['_sort=id', '/_sort'],
      ['_order=up', '/_order'],
      ['_start=-1', '/_start'],
      ['_start=1e3', '/_start'],
      ['_start=5&_end=4', '/_start'],
      ['_end=101', '/_end'],
      ['q=', '/q'],
      ['q', '/q'],
      ['q=%00', '/q'],
      ['q=a&q=b', '/q'],
      ['_kind=CAT,FISH', '/_kind'],
      ['_kind=CAT&_kind=', '/_kind'],
      ['_from=yesterday', '/_from'],
      ['q=%FF', ''],
      ['q=%ED%A0%80', ''],
    ])('%s', async (query, pointer) => {
      const answer = await toy.send(`/pets?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
    });

    test('a value with an equals sign, a plus and percent signs arrives whole', async () => {
      const answer = await toy.send('/pets?q=a%3Db%2B+c=d');
      expect(JSON.parse(answer.text)).toMatchObject([{ q: 'a=b+ c=d' }]);
    });

    test('repeats and comma lists mean the same', async () => {
      for (const query of ['_kind=CAT,DOG', '_kind=CAT&_kind=DOG']) {
        const answer = await toy.send(`/pets?${query}`);
        expect(JSON.parse(answer.text)).toMatchObject([{ filters: { kind: ['CAT', 'DOG'] } }]);
      }
    });
  });

  describe('404: a malformed id names no record', () => {
    test.each([
      '/pets/1',
      '/pets/0190d1a2-7b3c-7def-8123-456789abcde',
      '/pets/0190d1a2-7b3c-7def-8123-456789abcdef%00',
      '/pets/%00',
      '/pets/%E0%A4%A',
      '/pets/%FF',
      '/cages/0',
      '/cages/-1',
      '/cages/07',
      '/cages/7.0',
      '/cages/1e1',
      '/cages/9007199254740993',
      '/cages/99999999999999999999',
    ])('%s', async (path) => {
      const method = path.startsWith('/cages') ? 'DELETE' : 'GET';
      const answer = await toy.send(path, { method, headers: { 'X-Api-Key': 'key-ADMIN' } });
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ code: 'not_found' });
    });

    test('a UUID in capitals is the same UUID', async () => {
      expect((await toy.send('/pets/0190D1A2-7B3C-7DEF-8123-456789ABCDEF')).status).toBe(200);
    });
  });
});
