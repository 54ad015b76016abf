import { PROBLEMS } from '../../../api/errors.ts';
import { getReadyEndpoint } from '../../../api/health/get-ready.ts';
import { FAULT_CODES } from '../../../api/openapi/fault-codes.ts';
import { startToy, toyEndpoints, type Toy } from './toy-api.ts';

type Json = Record<string, unknown>;
let toy: Toy;
let document: { paths: Record<string, Record<string, Json>>; components: Record<string, Json> } & Json;

beforeAll(async () => {
  toy = await startToy({ endpoints: [...toyEndpoints, getReadyEndpoint] });
  document = (await toy.send('/openapi.json')).json as typeof document;
});
afterAll(() => toy.stop(1000));

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value ? [String(value.$ref)] : [];
  return [...own, ...Object.values(value).flatMap(refsIn)];
}

test('the document is OpenAPI 3.1 and has exactly the endpoints that are served', () => {
  expect(document['openapi']).toBe('3.1.0');
  const served = [...toyEndpoints, getReadyEndpoint].map(({ method, path }) => `${method} ${path}`);
  const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.toSorted()).toEqual(served.toSorted());
});

test('every reference leads somewhere', () => {
  const refs = [...new Set(refsIn(document))];
  expect(refs).toContain('#/components/schemas/Problem');
  for (const ref of refs) {
    const [, , kind, name] = ref.split('/') as [string, string, string, string];
    expect(document.components[kind]).toHaveProperty([name]);
  }
  expect(JSON.stringify(document)).not.toContain('$defs');
});

test('operation ids are unique words', () => {
  const ids = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('getPet');
  expect(ids).toContain('previewPet');
});

test('parameters come from the schemas that parse them', () => {
  const given = document.paths['/pets']?.['get']?.['parameters'] as Json[];
  const shared = document.components['parameters'] as Record<string, Json>;
  const parameters = given.map(
    (parameter) => shared[String(parameter['$ref']).split('/').at(-1) ?? ''] ?? parameter,
  );
  const byName = new Map(parameters.map((parameter) => [parameter['name'], parameter]));
  expect([...byName.keys()]).toEqual(['_start', '_end', '_sort', '_order', 'q', '_kind', '_from', 'Prefer']);
  expect(byName.get('_start')).toMatchObject({
    in: 'query',
    required: false,
    description: 'First item, counted from 0 (inclusive).',
    schema: { type: 'integer', minimum: 0 },
  });
  expect(byName.get('_sort')).toMatchObject({ schema: { enum: ['createdAt', 'name'] } });
  expect(byName.get('_kind')).toMatchObject({ schema: { type: 'array', items: { enum: ['CAT', 'DOG'] } } });
  expect(byName.get('_from')).toMatchObject({ schema: { type: 'string', format: 'date-time' } });
  expect(document.paths['/cages/{id}']?.['delete']?.['parameters']).toMatchObject([
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
  ]);
});

test('bodies, answers and problems of an operation', () => {
  const post = document.paths['/pets']?.['post'] as Json;
  expect(post['requestBody']).toMatchObject({
    required: true,
    content: {
      'application/json': { schema: { type: 'object', required: ['name'], additionalProperties: false } },
    },
  });
  expect(post['parameters']).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }]);
  const responses = post['responses'] as Record<string, Json>;
  expect(Object.keys(responses)).toEqual([
    '201',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ]);
  expect(responses['201']?.['content']).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
  });
  expect(responses['201']?.['headers']).toHaveProperty('Idempotency-Replayed');
  expect(responses['409']).toMatchObject({
    description: '`conflict`',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
  expect(responses['429']?.['headers']).toHaveProperty('Retry-After');
});

test('a status can be an answer and a problem', () => {
  const ready = document.paths['/health/ready']?.['get']?.['responses'] as Record<string, Json>;
  expect(Object.keys(ready['503']?.['content'] as Json)).toEqual([
    'application/json',
    'application/problem+json',
  ]);
});

test('security follows the declaration', () => {
  const security = (path: string, method: string) => document.paths[path]?.[method]?.['security'];
  expect(security('/pets', 'get')).toEqual([{ ApiKey: [] }, { AccessToken: [] }]);
  expect(security('/pets/preview', 'post')).toEqual([{ OperatorKey: [] }]);
  expect(security('/health/ready', 'get')).toEqual([]);
  expect(document.components['securitySchemes']).toMatchObject({ ApiKey: { name: 'X-Api-Key' } });
});

describe('the page for people', () => {
  test('loads only from its own host, and its policy forbids anything else', async () => {
    const page = await toy.send('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(page.text).not.toMatch(/https?:\/\//);
    expect(page.text).not.toMatch(/<script(?! src=)/);
    const loaded = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(loaded).toHaveLength(4);
    for (const path of loaded) {
      const asset = await toy.send(path);
      expect(asset.status).toBe(200);
      expect(asset.headers.get('content-type')).toMatch(/^(text\/(css|javascript)|application\/json)/);
      expect(asset.text.length).toBeGreaterThan(50);
    }
  });

  test.each(['/openapi.json', '/docs', '/docs/swagger-ui.css'])(
    '%s comes compressed to those that take it',
    async (path) => {
      const plain = await toy.send(path, { headers: { 'Accept-Encoding': 'identity' } });
      const packed = await toy.send(path, { headers: { 'Accept-Encoding': 'gzip' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(packed.headers.get('content-encoding')).toBe('gzip');
      expect(packed.headers.get('vary')).toContain('Accept-Encoding');
      expect(packed.text).toBe(plain.text);
      expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
    },
  );

  test('explains every code where a problem points', async () => {
    const { text } = await toy.send('/docs');
    for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`id="errors-${code}"`);
    for (const code of Object.keys(FAULT_CODES)) expect(text).toContain(`id="faults-${code}"`);
  });

  test('serves nothing else from the package', async () => {
    for (const path of ['/docs/package.json', '/docs/..%2fpackage.json', '/docs/swagger-ui.css.map']) {
      expect((await toy.send(path)).status).toBe(404);
    }
  });
});
