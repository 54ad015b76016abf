import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceDocument } from '../../../api/docs-page.ts';
import { endpointsOf } from '../../../api/endpoints.ts';
import { takesBody } from '../../../api/endpoint.ts';
import { EXAMPLE_ANSWERS } from '../../../api/openapi/example-answers.ts';
import { FAULT_CODES } from '../../../api/openapi/fault-codes.ts';
import { GLOSSARY } from '../../../api/openapi/glossary.ts';
import { PATH_PARAMETERS, QUERY_PARAMETERS } from '../../../api/openapi/glossary/parameters.ts';
import type { JsonSchema } from '../../../api/openapi/schema-table.ts';
import { projectRoot } from '../../../standalone/project-root.ts';
import { productFolders, sourcesIn } from '../../house.ts';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: JsonSchema;
}
interface Content {
  schema: JsonSchema;
  example?: unknown;
}
interface Operation {
  operationId: string;
  tags: string[];
  security: object[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

const endpoints = endpointsOf('sandbox');
const document = referenceDocument(endpoints) as unknown as {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, Parameter> };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const all = [...operations, ...Object.values(document.webhooks).map(({ post }) => post)];
const own = ({ parameters }: Operation) => parameters.filter(({ $ref }) => $ref === undefined);
const shared = Object.values(document.components.parameters);
const parametersOf = (operation: Operation) => [
  ...own(operation),
  ...Object.values(document.components.parameters),
];
const { schemas } = document.components;
const fields = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
  Object.entries(properties).map(([field, schema]) => ({ name, field, schema })),
);

/** A schema and every schema inside of it. */
function within(schema: JsonSchema): JsonSchema[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const inner = [...Object.values(properties), ...anyOf, ...oneOf];
  if (items) inner.push(items);
  if (typeof additionalProperties === 'object') inner.push(additionalProperties);
  return [schema, ...inner.flatMap(within)];
}

test('every operation has a readable name of its own, and every tag says what it is about', () => {
  const names = all.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+([A-Z][a-z0-9]*)+$/.test(name) || name.length > 40)).toEqual([]);
  expect(document.tags.filter(({ description }) => description === undefined)).toEqual([]);
});

test('every schema has a readable name, every object inside of one too', () => {
  expect(Object.keys(schemas).filter((name) => !/^([A-Z][a-z0-9]*)+$/.test(name))).toEqual([]);
  const nested = Object.entries(schemas).flatMap(([name, schema]) =>
    within(schema)
      .filter((inner) => inner !== schema && inner.properties)
      .map(() => name),
  );
  expect(nested).toEqual([]);
  const contents = all.flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {})),
  );
  expect(contents.flatMap(({ schema }) => within(schema)).filter(({ properties }) => properties)).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('__');
});

test('every field and every parameter is described', () => {
  const silent = fields
    .filter(({ schema }) => !schema.description)
    .map(({ name, field }) => `${name}.${field}`);
  expect(silent).toEqual([]);
  const parameters = all.flatMap((operation) =>
    parametersOf(operation).map((parameter) => ({ operation, parameter })),
  );
  expect(
    parameters
      .filter(({ parameter }) => !parameter.description)
      .map(({ operation, parameter }) => `${operation.operationId} ${parameter.name}`),
  ).toEqual([]);
});

test('the glossary has nothing that the document does not use', () => {
  const used = new Set(
    fields.map(({ name, field }) => (`${name}.${field}` in GLOSSARY ? `${name}.${field}` : field)),
  );
  expect(Object.keys(GLOSSARY).filter((key) => !used.has(key))).toEqual([]);
  const names = new Set(operations.flatMap((operation) => parametersOf(operation).map(({ name }) => name)));
  expect(Object.keys(QUERY_PARAMETERS).filter((name) => !names.has(name))).toEqual([]);
  const paths = Object.keys(document.paths);
  expect(
    Object.keys(PATH_PARAMETERS).filter((start) => !paths.some((path) => path.startsWith(start))),
  ).toEqual([]);
});

test('limits are true: none is the largest number of JSON, and those of pages are there', () => {
  expect(JSON.stringify(document)).not.toContain('9007199254740991');
  const limitOf = (operationId: string, parameter: string) =>
    operations
      .find((operation) => operation.operationId === operationId)
      ?.parameters.find(({ name }) => name === parameter)?.schema;
  expect(limitOf('listChanges', '_limit')).toMatchObject({ minimum: 1, maximum: 1_000 });
  for (const operation of ['listWalletChecks', 'listAmlHistory', 'searchAml']) {
    expect(limitOf(operation, 'limit')).toMatchObject({ minimum: 1, maximum: 100, default: 100 });
  }
  expect(document.components.parameters['IdempotencyKey']?.schema).toMatchObject({
    minLength: 1,
    maxLength: 255,
  });
});

test('the parameters of pages are written once', () => {
  const pages = shared.filter(({ in: place }) => place === 'query').map(({ name }) => name);
  expect(pages).toEqual(['_start', '_end', '_order']);
  expect(operations.flatMap(own).filter(({ name }) => pages.includes(name))).toEqual([]);
});

test('a field has one type, or null beside it: client generators know no other list of types', () => {
  const types = Object.values(schemas).flatMap((schema) => within(schema).map(({ type }) => type));
  const several = types.filter((type) => Array.isArray(type) && (type.length > 2 || !type.includes('null')));
  expect(several).toEqual([]);
});

test('the calls of the hosted page name their token', () => {
  const ofPage = operations.filter(({ tags }) => tags.includes('Hosted page'));
  expect(ofPage.map(({ security }) => security)).toEqual(Array(5).fill([{ PageToken: [] }]));
});

test('the calls of the e-mail portal name their token, and their session where they need one', () => {
  const ofPortal = operations.filter(({ tags }) => tags.includes('E-mail portal'));
  const named = ofPortal.map(({ operationId, security }) => [operationId, ...security.flatMap(Object.keys)]);
  expect(named).toEqual([
    ['getPortalLink', 'PortalToken'],
    ['requestPortalCode', 'PortalToken'],
    ['startPortalSession', 'PortalToken'],
    ['renewPortalLink', 'PortalToken'],
    ['getPortalMessage', 'PortalToken', 'PortalSession'],
    ['answerPortalMessage', 'PortalToken', 'PortalSession'],
    ['requestPortalRepair', 'PortalToken', 'PortalSession'],
    ['getPortalClaim', 'PortalToken', 'PortalSession'],
    ['patchPortalClaim', 'PortalToken', 'PortalSession'],
    ['answerPortalClaim', 'PortalToken', 'PortalSession'],
  ]);
});

describe('examples', () => {
  test('every body, path parameter and required parameter has one', () => {
    const without = operations.flatMap((operation) => {
      const contents = Object.values(operation.requestBody?.content ?? {});
      const hasBody = contents.length === 0 || contents.some(({ example }) => example !== undefined);
      const missing = own(operation).filter(({ required, example }) => required && example === undefined);
      return [...missing.map(({ name }) => name), ...(hasBody ? [] : ['body'])].map(
        (what) => `${operation.operationId} ${what}`,
      );
    });
    expect(without).toEqual([]);
  });

  test.each(
    endpoints
      .filter((endpoint) => takesBody(endpoint) && endpoint.example?.body !== undefined)
      .map((endpoint) => [endpoint.operationId, endpoint] as const),
  )('the body of %s is right', (_operationId, { body, example }) => {
    expect(body.safeParse(example?.body)).toMatchObject({ success: true });
  });

  const answered = endpoints.filter(({ operationId }) => operationId in EXAMPLE_ANSWERS);
  test.each(answered.map(({ operationId, responses }) => [operationId, responses] as const))(
    'the answer of %s is right',
    (operationId, responses) => {
      const schemas = Object.entries(responses).flatMap(([status, { schema }]) =>
        Number(status) < 300 && schema ? [schema] : [],
      );
      const answer = EXAMPLE_ANSWERS[operationId];
      expect(schemas.some((schema) => schema.safeParse(answer).success)).toBe(true);
    },
  );

  test('an answer in JSON has one, of several the one that came', () => {
    const without = operations.filter(({ responses }) => {
      const answers = Object.entries(responses).flatMap(([status, { content }]) =>
        status < '300' && content?.['application/json'] ? [content['application/json']] : [],
      );
      return answers.length > 0 && answers.every(({ example }) => example === undefined);
    });
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });
});

describe('fault codes', () => {
  const text = productFolders()
    .flatMap((folder) => sourcesIn(folder))
    .map((file) => readFileSync(join(projectRoot, file), 'utf8'))
    .join('\n');
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, code = '']) => code);

  test('those that the source names are all explained', () => {
    const codes = [
      ...named(/\b(?:invalidField|pageIssue|fault)\(\s*(?:'[^']*'|`[^`]*`|\w+),\s*'([a-z_0-9]+)'/g),
      ...named(
        /\b(?:refuse|rowFault|FileFault|wholeBody|refusal)\((?:[\w.]+,\s*|at\([^)]*\),\s*)?'([a-z_0-9]+)'/g,
      ),
      ...named(/params: \{ code: '([a-z_0-9]+)'/g),
      // Faults of schemas are `custom` for the schema library; their codes are in `params`.
      ...named(/\bcode: '(?!custom')([a-z_0-9]+)',\s*message\b/g),
    ];
    expect(codes.length).toBeGreaterThan(80);
    expect([...new Set(codes)].filter((code) => !(code in FAULT_CODES))).toEqual([]);
  });

  test('none is explained that nothing names', () => {
    const ofZod = [
      'invalid',
      'invalid_element',
      'invalid_key',
      'invalid_type',
      'not_multiple_of',
      'too_small',
    ];
    const ofLists = ['truncated', 'not_this_format', 'entity_declared', 'encoding', 'empty'];
    const words = new Set(text.match(/'[a-z_0-9]+'|\b[a-z_0-9]+(?=: ['`])/g));
    const known = new Set([...ofZod, ...ofLists]);
    const unused = Object.keys(FAULT_CODES).filter(
      (code) => !known.has(code) && !words.has(`'${code}'`) && !words.has(code),
    );
    expect(unused).toEqual([]);
  });
});
