import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endpoints } from '../../api/endpoints.ts';
import { sandboxEndpoints } from '../../api/sandbox/sandbox-endpoints.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { sourcesIn, textOf } from '../house.ts';
import { useApi } from '../use-api.ts';

const { api } = useApi();
const CLIENT = 'packages/client';
const calls = sourcesIn(`${CLIENT}/src/calls`).map((file) => textOf(file));
interface Answer {
  content: Record<string, { schema: { type?: string } }>;
}

async function readDocument(): Promise<unknown> {
  return await (await fetch(`${api.url}/openapi.json`)).json();
}

/** Constants that stand for a path. */
const named = new Map(
  calls.flatMap((text) =>
    [...text.matchAll(/const ([A-Z_]+) = '(\/[^']+)'/g)].map(([, name = '', path = '']) => [name, path]),
  ),
);

/** `METHOD path` of every call that has a name. */
function namedCalls(): Set<string> {
  const requests = calls.flatMap((text) => [
    ...text.matchAll(/request\(\s*'([A-Z]+)',\s*['`]?([^'`,\s)]+)['`]?,/g),
  ]);
  const lists = calls.flatMap((text) => [...text.matchAll(/\blist\(\s*'([^']+)'/g)]);
  const path = (text: string) =>
    text.replace(/^\$\{([A-Z_]+)\}|^([A-Z_]+)$/, (_, a: string, b: string) => named.get(a ?? b) ?? '');
  return new Set([
    ...requests.map(([, method, where = '']) => `${method} ${path(where)}`),
    ...lists.map(([, where]) => `GET ${where}`),
  ]);
}

interface TypedPart {
  hashOf: (document: unknown) => string;
  typedPartOf: (document: unknown) => { paths: Record<string, { get: { parameters: unknown[] } }> };
}

async function loadTypedPart(): Promise<TypedPart> {
  const file = join(projectRoot, CLIENT, 'typed-part.mjs');
  return (await import(pathToFileURL(file).href)) as TypedPart;
}

test('the types are those of the document; if not: npm run client:types', async () => {
  const { hashOf } = await loadTypedPart();
  const [, made] = /sha256 ([0-9a-f]{64})/.exec(textOf(`${CLIENT}/src/openapi.ts`)) ?? [];
  expect(made).toBe(hashOf(await readDocument()));
});

test('parameters that are components are taken in their place, headers and examples are left out', async () => {
  const { typedPartOf } = await loadTypedPart();
  const id = { name: 'id', in: 'query', schema: { type: 'string', example: 'x' } };
  const key = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
  const parameters = [{ $ref: '#/components/parameters/Id' }, { $ref: '#/components/parameters/Key' }];
  const part = typedPartOf({
    openapi: '3.1.0',
    paths: { '/x': { get: { parameters, responses: {} } } },
    components: { schemas: {}, parameters: { Id: id, Key: key } },
  });
  expect(part.paths['/x']?.get.parameters).toEqual([{ name: 'id', in: 'query', schema: { type: 'string' } }]);
});

test('every endpoint of a tenant or partner, and every sign-in, has a call with a name', () => {
  const ofTenants = [...endpoints, ...sandboxEndpoints].filter(
    ({ auth, path }) => auth === 'TENANT' || auth === 'PARTNER' || path.startsWith('/auth/'),
  );
  const missing = ofTenants
    .map(({ method, path }) => `${method} ${path}`)
    .filter((call) => !namedCalls().has(call));
  expect(missing).toEqual([]);
  expect(namedCalls().size).toBe(ofTenants.length);
});

test('a POST is sent again where the API reads its Idempotency-Key, and only there', () => {
  const unkeyed = [...endpoints, ...sandboxEndpoints].filter(
    ({ method, idempotency }) => method === 'POST' && idempotency === 'NONE',
  );
  expect(unkeyed.length).toBeGreaterThan(0);
  const isUnkeyed = ({ path }: { path: string }) => /^\/(wallet|auth|portal|trp)\//.test(path);
  expect(unkeyed.filter((endpoint) => !isUnkeyed(endpoint)).map(({ path }) => path)).toEqual([]);
  const keyed = endpoints.filter(({ idempotency }) => idempotency !== 'NONE');
  expect(keyed.filter(isUnkeyed).map(({ path }) => path)).toEqual([]);
});

test('paths with rules of their own are paths of the API', () => {
  const text = textOf(`${CLIENT}/src/send-repeatedly.ts`) + textOf(`${CLIENT}/src/api-calls.ts`);
  const paths = [...text.matchAll(/'(\/[\w/{}-]+[\w}])'/g)].map(([, path]) => path);
  const known = endpoints.map(({ path }) => path as string);
  expect(paths).toHaveLength(6);
  expect(paths.filter((path) => !known.includes(path ?? ''))).toEqual([]);
});

test('lists that are paged by offset are the two that the client knows', async () => {
  const { paths } = (await readDocument()) as {
    paths: Record<string, { get?: { parameters: { name: string }[]; responses: Record<string, Answer> } }>;
  };
  const paged = Object.entries(paths).filter(
    ([, { get }]) =>
      get?.parameters.some(({ name }) => name === 'offset') &&
      get.responses['200']?.content['application/json']?.schema.type === 'array',
  );
  expect(paged.map(([path]) => path).toSorted()).toEqual(['/aml/search/history', '/kyw/history']);
});

test('the version that it names in its requests is that of the package', () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, CLIENT, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(textOf(`${CLIENT}/src/prepare-request.ts`)).toContain(`VERSION = '${version}'`);
  const { devDependencies } = JSON.parse(textOf('package.json')) as {
    devDependencies: Record<string, string>;
  };
  expect(devDependencies['@waybill/client']).toBe(version);
});

test('it needs nothing but Node', () => {
  const manifest = JSON.parse(textOf(`${CLIENT}/package.json`)) as object;
  expect(Object.keys(manifest)).not.toContain('dependencies');
  const imports = sourcesIn(`${CLIENT}/src`).flatMap((file) =>
    [...textOf(file).matchAll(/from '([^.][^']*)'/g)].map(([, name = '']) => name),
  );
  expect(imports.filter((name) => !name.startsWith('node:'))).toEqual([]);
});
