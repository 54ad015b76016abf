import { connect } from 'node:net';
import { handled, startToy, type Toy, TENANT_KEY } from './toy-api.ts';

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

describe('400 and 413: a body that cannot be used is refused with code, pointer and request id', () => {
  test.each([
    ['no JSON at all', 'hello', 'malformed_json', ''],
    ['cut off', '{"name":"x"', 'malformed_json', ''],
    ['empty where one is required', '', 'malformed_json', ''],
    ['only a byte order mark', '\ufeff', 'malformed_json', ''],
    ['10^5 levels deep', deep(100_000), 'validation_failed', '/0'.repeat(32)],
    [
      '10^5 levels deep where the schema is recursive',
      named(`"nest":${deep(100_000)}`),
      'validation_failed',
      `/nest${'/0'.repeat(31)}`,
    ],
    ['33 levels deep', named(`"tags":${deep(32)}`), 'validation_failed', `/tags${'/0'.repeat(31)}`],
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

  test('at most 100 faults are listed', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, '']));
    const { json } = await post(JSON.stringify(many));
    expect(json['errors']).toHaveLength(100);
  });

  test('bytes that are not UTF-8 are not guessed at', async () => {
    const answer = await post(Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')]));
    expect(answer.json).toMatchObject({ code: 'malformed_json' });
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
