import fc from 'fast-check';
import { z } from 'zod';
import { toPointer } from '../../domain/json/unusable-values.ts';
import { AddStepBody } from '../../domain/entities/counterparty.ts';
import { PatchPartnerBody } from '../../domain/partners/schema.ts';
import { PartnerMessageBody, PatchPartnerTransactionBody } from '../../domain/partners/transaction-schema.ts';
import { AnswerMessageBody, PortalCodeBody } from '../../domain/portal/schema.ts';
import {
  CreateTransactionBody,
  DisposeBody,
  PatchTransactionBody,
  ProceedBody,
  RepairBody,
} from '../../domain/transactions/schema.ts';
import {
  CreateVerificationBody,
  PatchVerificationBody,
  RevokeVerificationBody,
  SubmitProofBody,
} from '../../domain/verifications/schema.ts';
import { AnswerClaimBody, CreateClaimBody, PatchClaimBody } from '../../domain/claims/schema.ts';
import { ensureGateways } from '../../db/gateways/ensure-gateways.ts';
import { INQUIRY_PATH, travelTokenIn } from '../../domain/travel-address/travel-url.ts';
import { startTestApi, type Json, type TestAnswer, type TestApi } from '../api-client.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import {
  createBody,
  createTransaction,
  evmAddress,
  fullBody,
  readTransaction,
  rowCounts,
} from '../factories/transaction.ts';
import { claimBody, createClaim, readClaim } from '../factories/claim.ts';
import { createPartner } from '../factories/partner.ts';
import { allowMails, createOutsider, openedMessage } from '../factories/portal.ts';
import { createVerification, readVerification, verificationBody } from '../factories/verification.ts';
import { IS_FULL } from '../full.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;
let id: string;
let claimId: string;
let verificationId: string;
let entityId: string;
let messageId: string;
let partner: Record<string, string>;
let portal: Record<string, string>;
let untouched: unknown;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, {
    config: { RATE_LIMIT_WRITES: 0, RATE_LIMIT_HOSTED: 0 },
  });
  tenant = await createTenant(api);
  // INCOMING takes every field of a patch.
  ({ id } = await createTransaction(tenant, { direction: 'INCOMING' }));
  ({ id: verificationId } = await createVerification(tenant));
  ({ id: claimId } = await createClaim(tenant));
  await allowMails(api, tenant);
  portal = await openedMessage(api, tenant);
  ({ id: entityId } = await createOutsider(api, { name: 'Harbour Custody' }));
  partner = { 'X-Partner-Api-Key': (await createPartner(api)).apiKey.apiKey };
  messageId = await sentByPartner();
  untouched = await stored();
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

/** At the end of each group; after each of the hundreds of tests it would take a quarter of their time. */
function testThatNothingWasStored(): void {
  test('none of them stored anything or was logged as an error', async () => {
    expect(await stored()).toEqual(untouched);
    expect(api.log.filter((line) => Number(line['level']) >= 50)).toEqual([]);
  });
}

async function sentByPartner(): Promise<string> {
  const sent = { headers: partner, body: partnerBody() };
  const { status, body } = await api.request('POST', '/partners/me/transactions', sent);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body['id']);
}

const partnerBody = (): Json => ({ ...createBody(), vaspInfo: { beneficiaryVaspName: tenant.name } });

const stored = async () => [
  await rowCounts(api),
  (await api.request('GET', '/partners/me', { headers: partner })).body,
  await verificationCounts(),
  await readTransaction(tenant, id),
  await readVerification(tenant, verificationId),
  await readClaim(tenant, claimId),
];

async function verificationCounts(): Promise<unknown> {
  const tables = [
    'claims',
    'verifications',
    'proof_attempts',
    'signed_messages',
    'verification_reuses',
    'satoshi_watches',
  ];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  return (await database.pool.query(`select ${counts.join(', ')}`)).rows[0];
}

type Path = (string | number)[];

interface Target {
  schema: z.ZodType;
  path: () => string;
  /** What a value is put into, with everything that must be around it. */
  base: () => Json;
  /** Who sends it; the tenant if absent. */
  headers?: () => Record<string, string>;
}

const TARGETS = {
  'POST transaction': { schema: CreateTransactionBody, path: () => '/transactions', base: createBody },
  'PATCH transaction': {
    schema: PatchTransactionBody,
    path: () => `/transactions/${id}`,
    base: () => ({}),
  },
  'POST claim': {
    schema: CreateClaimBody,
    path: () => '/claims',
    base: () => claimBody({ beneficiary: { name: 'Jonas Brandt' } }),
  },
  'PATCH claim': { schema: PatchClaimBody, path: () => `/claims/${claimId}`, base: () => ({}) },
  'POST answer': {
    schema: AnswerClaimBody,
    path: () => `/claims/${claimId}/answer`,
    base: () => ({ originator: { name: 'Anna Keller' } }),
  },
  'POST verification': {
    schema: CreateVerificationBody,
    path: () => '/wallet-verification',
    base: () =>
      verificationBody({
        satoshiFlow: { depositAddress: evmAddress() },
        reuse: { subject: { type: 'NATURAL', nameHash: 'ab'.repeat(32) } },
        additionalSteps: [{ kind: 'SELFIE' }],
      }),
  },
  'PATCH verification': {
    schema: PatchVerificationBody,
    path: () => `/wallet-verification/${verificationId}`,
    base: () => ({}),
  },
  'POST revocation': {
    schema: RevokeVerificationBody,
    path: () => `/wallet-verification/${verificationId}/revoke`,
    base: () => ({ reason: 'lost' }),
  },
  'POST proof': {
    schema: SubmitProofBody,
    path: () => `/wallet-verification/${verificationId}/verification`,
    base: () => ({ verificationFlow: 'SIGNATURE_PROOF', message: 'hello', signature: '0x' }),
  },
  'POST repair': {
    schema: RepairBody,
    path: () => `/transactions/${id}/repair`,
    base: () => ({ fields: ['originator.name'] }),
  },
  'POST disposition': {
    schema: DisposeBody,
    path: () => `/transactions/${id}/assets-disposition`,
    base: () => ({ assetsDisposition: 'SUSPENDED' }),
  },
  'POST proceed': {
    schema: ProceedBody,
    path: () => `/transactions/${id}/proceed`,
    base: () => ({ reason: 'known' }),
  },
  'POST step': {
    schema: AddStepBody,
    path: () => `/counterparties/${entityId}/steps`,
    base: () => ({ kind: 'WARNED' }),
  },
  'PATCH partner': {
    schema: PatchPartnerBody,
    path: () => '/partners/me',
    base: () => ({}),
    headers: () => partner,
  },
  'POST partner message': {
    schema: PartnerMessageBody,
    path: () => '/partners/me/transactions',
    base: partnerBody,
    headers: () => partner,
  },
  'PATCH partner message': {
    schema: PatchPartnerTransactionBody,
    path: () => `/partners/me/transactions/${messageId}`,
    // What has no known field is refused as a whole, too.
    base: () => ({ destinationConfirmed: true }),
    headers: () => partner,
  },
  'POST partner repair': {
    schema: RepairBody,
    path: () => `/partners/me/transactions/${messageId}/repair`,
    base: () => ({ fields: ['originator.name'] }),
    headers: () => partner,
  },
  'POST portal code': {
    schema: PortalCodeBody,
    path: () => '/portal/session',
    base: () => ({ code: '123456' }),
    headers: () => portal,
  },
  'PATCH portal message': {
    schema: AnswerMessageBody,
    path: () => '/portal/message',
    // What has no known field is refused as a whole, too.
    base: () => ({ destinationConfirmed: true }),
    headers: () => portal,
  },
  'POST portal repair': {
    schema: RepairBody,
    path: () => '/portal/message/repair',
    base: () => ({ fields: ['originator.name'] }),
    headers: () => portal,
  },
} satisfies Record<string, Target>;
type Method = keyof typeof TARGETS;
const METHODS = Object.keys(TARGETS) as Method[];

async function send(method: Method, body: unknown, headers = {}): Promise<TestAnswer<Json>> {
  const { verb, path } = { verb: method.split(' ')[0] ?? '', path: TARGETS[method].path() };
  return await api.request(verb, path, { body, headers: { ...senderOf(method), ...headers } });
}

function senderOf(method: Method): Record<string, string> {
  const { headers }: Target = TARGETS[method];
  return headers?.() ?? { 'X-Api-Key': tenant.apiKey };
}

const baseOf = (method: Method): Json => TARGETS[method].base();

/** The body with a value at a path, with everything that must be around it. */
function withValue(method: Method, path: Path, value: unknown): Json {
  const body = baseOf(method);
  let place: Json | unknown[] = body;
  path.forEach((part, index) => {
    const isLast = index === path.length - 1;
    const around: unknown = Reflect.get(place, part) ?? (typeof path[index + 1] === 'number' ? [] : {});
    // Defined, not assigned: a name may be __proto__.
    Object.defineProperty(place, part, {
      value: isLast ? value : around,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    place = around as Json;
  });
  return body;
}

interface Problem {
  code: string;
  requestId: string;
  errors: { pointer: string; code: string; message: string }[];
}

function inAnotherCase(word = ''): string {
  const lower = word.toLowerCase();
  return lower === word ? word.toUpperCase() : lower;
}

/** Every refusal has the one shape; gives its faults. */
function faultsIn(answer: TestAnswer<Json>, status = 400): Problem['errors'] {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
  const problem = answer.body as unknown as Problem;
  expect(problem.requestId).toBe(answer.headers.get('X-Request-Id'));
  expect(problem).toMatchObject({
    status,
    code: expect.any(String),
    title: expect.any(String),
    detail: expect.any(String),
  });
  expect(problem.errors.length).toBeGreaterThan(0);
  for (const error of problem.errors) {
    expect(error).toEqual({
      pointer: expect.any(String),
      code: expect.any(String),
      message: expect.any(String),
    });
  }
  return problem.errors;
}

/** Each place once, however many faults it has. */
const pointersIn = (answer: TestAnswer<Json>) => [...new Set(faultsIn(answer).map((fault) => fault.pointer))];

interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  enum?: string[];
  maxLength?: number;
}

interface Field {
  path: Path;
  /** Names of JSON types that the field takes. */
  types: string[];
  branches: JsonSchema[];
}

/** Every field of a schema, however deep; of lists the first item. */
function fieldsOf(schema: z.ZodType): Field[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const resolve = (part: JsonSchema): JsonSchema =>
    part.$ref ? (root.$defs?.[part.$ref.split('/').at(-1) ?? ''] ?? {}) : part;
  const visit = (part: JsonSchema, path: Path): Field[] => {
    const { anyOf, oneOf } = resolve(part);
    const branches = (anyOf ?? oneOf ?? [part]).map(resolve);
    const inner = branches.flatMap((branch) => [
      ...Object.entries(branch.properties ?? {}).flatMap(([name, child]) => visit(child, [...path, name])),
      ...(branch.items ? visit(branch.items, [...path, 0]) : []),
    ]);
    return [{ path, types: branches.flatMap((branch) => branch.type ?? []), branches }, ...inner];
  };
  // What several branches have is one field.
  return [...new Map(visit(root, []).map((field) => [toPointer(field.path), field])).values()];
}

const inAll = METHODS.flatMap((method) =>
  fieldsOf(TARGETS[method].schema).map((field) => ({ method, ...field })),
);
const below = inAll.filter((field) => field.path.length > 0);
/** What is signed may be any text; whether it is one is told by the check of the proof. */
const SIGNED = ['message', 'signature', 'verificationFlow'];
const texts = below.filter(
  ({ method, path, types }) =>
    types.includes('string') && !(method === 'POST proof' && SIGNED.includes(String(path[0]))),
);
const objects = inAll.filter((field) => field.types.includes('object'));
/** With its place among the fields, by which its values are chosen. */
const named = <T extends { method: Method; path: Path }>(fields: T[]) =>
  fields.map(
    (field, at) => [`${field.method} ${toPointer(field.path) || '(whole body)'}`, { ...field, at }] as const,
  );

const AT_A_FIELD = 1;
/** One of the values, another one for the next field; all of them in the full run. */
const chosen = <T>(values: readonly T[], at: number): readonly T[] =>
  IS_FULL || values.length <= AT_A_FIELD
    ? values
    : Array.from(
        { length: AT_A_FIELD },
        (_, index) => values[(at * AT_A_FIELD + index) % values.length] as T,
      );
const RUNS = IS_FULL ? 200 : 20;

const takes = (types: string[], type: string) =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

/** A value that must not be seen again. */
const SECRET = 'S3CR3T';
const VALUES: [type: string, value: unknown][] = [
  ['boolean', true],
  ['integer', 12],
  ['number', -1.5],
  ['string', SECRET],
  ['array', [SECRET]],
  ['array', []],
  ['object', { [SECRET]: SECRET }],
  ['null', null],
];

test('the fields of the schemas are found, whatever their number is by now', () => {
  expect(below.length).toBeGreaterThan(120);
  expect(texts.map((field) => toPointer(field.path))).toContain(
    '/additionalOriginators/0/addressDetails/street',
  );
});

describe('values of a wrong type', () => {
  test.each(named(below))(
    '%s: 400 at the field, without the value',
    async (_name, { method, path, types, at }) => {
      const wrong = VALUES.filter(([type]) => !takes(types, type));
      for (const [type, value] of chosen(wrong, at)) {
        const answer = await send(method, withValue(method, path, value));
        expect({ type, pointers: pointersIn(answer) }).toEqual({ type, pointers: [toPointer(path)] });
        expect(JSON.stringify(answer.body)).not.toContain(SECRET);
      }
    },
  );

  test.each([null, true, 12, SECRET, [], [{}]])('%j is no body', async (body) => {
    for (const method of METHODS) expect(pointersIn(await send(method, JSON.stringify(body)))).toEqual(['']);
  });

  testThatNothingWasStored();
});

describe('texts', () => {
  const BAD: [what: string, text: string][] = [
    ['empty', ''],
    ['NUL', `a\u0000b`],
    ['a lone high surrogate', `${SECRET}\ud800`],
    ['a lone low surrogate', `\udfff${SECRET}`],
    ['surrogates the wrong way round', '\udc00\ud800'],
  ];
  test.each(named(texts))(
    '%s: empty, NUL, lone surrogates and too long are 400 at the field',
    async (_name, field) => {
      const { method, path, branches, at } = field;
      const maxLength = Math.max(...branches.map((branch) => branch.maxLength ?? 300));
      const tooLong = ['too long', SECRET.padEnd(maxLength + 1, 'x')] as const;
      for (const [what, text] of [...chosen(BAD, at), tooLong]) {
        const answer = await send(method, withValue(method, path, text));
        expect({ what, pointers: pointersIn(answer) }).toEqual({ what, pointers: [toPointer(path)] });
        expect(JSON.stringify(answer.body)).not.toContain(SECRET);
      }
    },
  );

  const enums = texts.filter((field) => field.branches.some((branch) => branch.enum));
  test.each(named(enums))(
    '%s: words that are not in the list, or in another case, are 400',
    async (_name, { method, path, branches, at }) => {
      const known = branches.flatMap((branch) => branch.enum ?? []);
      const words = [
        SECRET,
        ` ${known[0]}`,
        inAnotherCase(known[0]),
        `${known[0]}S`,
        'constructor',
        'toString',
      ];
      for (const word of chosen(words, at)) {
        expect(pointersIn(await send(method, withValue(method, path, word)))).toEqual([toPointer(path)]);
      }
    },
  );

  testThatNothingWasStored();
});

describe('names that do not exist', () => {
  const NAMES = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '',
    '/',
    '~',
    '~1',
    'a/b~c',
    'NAME',
    ' name',
    'ñ',
    '\u0000',
    '\ud800',
    '0',
  ];
  test.each(named(objects))(
    '%s: every unknown name is 400 and names itself',
    async (_name, { method, path, at }) => {
      for (const name of chosen(NAMES, at)) {
        const body = JSON.stringify(withValue(method, [...path, name], { deep: 1 }));
        expect(pointersIn(await send(method, body))).toEqual([toPointer([...path, name])]);
      }
    },
  );

  test('whatever the name is', async () => {
    const known = new Set(below.map((field) => String(field.path.at(-1))));
    const name = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !known.has(text));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...objects), name, async ({ method, path }, unknown) => {
        const body = JSON.stringify(withValue(method, [...path, unknown], 1));
        expect(pointersIn(await send(method, body))).toEqual([toPointer([...path, unknown])]);
      }),
      { numRuns: RUNS },
    );
  });

  testThatNothingWasStored();
});

describe('amounts', () => {
  const AMOUNTS = [
    '0',
    '0.0',
    '-0',
    '-1',
    '+1',
    '1e3',
    '1E3',
    '.5',
    '5.',
    '1.2.3',
    '1,5',
    '1 000',
    ' 1',
    '1\\n',
    '0x10',
    '１',
    'NaN',
    'Infinity',
    '1_000',
    `1${'0'.repeat(30)}`,
    `0${'0'.repeat(30)}1`,
    `1.${'0'.repeat(30)}1`,
    `0.${'0'.repeat(31)}`,
  ].map((text) => `"${text}"`);
  const NUMBERS = [
    '0',
    '-0',
    '0.0',
    '-1',
    '-1e-9',
    '1e400',
    '-1e400',
    '1e30',
    '1e-31',
    '5e-324',
    '1.7976931348623157e308',
  ];

  test.each([...AMOUNTS, ...NUMBERS])('%s is 400 at /amount', async (amount) => {
    const body = JSON.stringify({ ...createBody(), amount: 'HERE' }).replace('"HERE"', amount);
    expect(pointersIn(await send('POST transaction', body))).toEqual(['/amount']);
  });

  test.each(['NaN', 'Infinity', '-Infinity', '01', '1.', '.1', '+1', '0x1', '1_0', "'1'", 'undefined'])(
    '%s is no JSON',
    async (amount) => {
      const body = JSON.stringify({ ...createBody(), amount: 'HERE' }).replace('"HERE"', amount);
      const answer = await send('POST transaction', body);
      expect(faultsIn(answer)).toMatchObject([{ code: 'malformed_json' }]);
    },
  );

  testThatNothingWasStored();
});

describe('bodies as a whole', () => {
  const deep = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);
  test.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['white space', ' \n '],
    ['an open object', '{"asset":"ETH"'],
    ['a comma too many', '{"asset":"ETH",}'],
    ['single quotes', "{'asset':'ETH'}"],
    ['a comment', '{"asset":"ETH"} // ok'],
    ['two values', '{}{}'],
    ['a form', 'asset=ETH&amount=1'],
    ['a byte order mark', '\ufeff{}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['UTF-16', Buffer.from('{"asset":"ETH"}', 'utf16le')],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ])('%s is no JSON: 400', async (_what, body) => {
    for (const method of METHODS) {
      const answer = await send(method, body);
      expect(faultsIn(answer)).toMatchObject([{ pointer: '', code: 'malformed_json' }]);
      expect(answer.body['code']).toBe('malformed_json');
    }
  });

  test.each([
    ['100,000 arrays', deep(100_000)],
    ['40,000 objects', '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000)],
    ['100,000 arrays in a field', `{"metadata":${deep(100_000)}}`],
    ['arrays in a party', `{"originator":{"name":${deep(120_000)}}}`],
    ['100,000 brackets that are never closed', '['.repeat(100_000)],
  ])('%s within each other are 400, not the end of the stack', async (_what, body) => {
    for (const method of METHODS) {
      expect(faultsIn(await send(method, body)).map((fault) => fault.code)).toContain('too_deep');
    }
  });

  test('1 MB of JSON is 413, announced or not', async () => {
    const body = JSON.stringify({ metadata: 'x'.repeat(1_000_000) });
    for (const method of METHODS) {
      expect(faultsIn(await send(method, body), 413)).toMatchObject([{ pointer: '' }]);
      expect(faultsIn(await sendChunked(method, body), 413)).toMatchObject([{ pointer: '' }]);
    }
  });

  async function sendChunked(method: Method, body: string): Promise<TestAnswer<Json>> {
    const answer = await fetch(api.url + TARGETS[method].path(), {
      method: method.split(' ')[0] ?? '',
      headers: { ...senderOf(method), 'Content-Type': 'application/json' },
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit);
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json };
  }

  test.each([
    ['a list of 2,001 items', { reference: Array.from({ length: 2_001 }, () => 1) }],
    [
      '1,001 lists in a list and a field of each',
      { reference: Array.from({ length: 1_001 }, () => ({ a: 1 })) },
    ],
  ])('%s is refused as a whole, before it is parsed', async (_what, body) => {
    for (const method of METHODS) {
      expect(faultsIn(await send(method, { ...baseOf(method), ...body }))).toMatchObject([
        { pointer: '', code: 'too_many' },
      ]);
    }
  });

  test('200 parameters are a query, 201 are refused as a whole', async () => {
    const queried = async (count: number) => await tenant.get(`/transactions?${'_asset=ETH&'.repeat(count)}`);
    expect(faultsIn(await queried(199))).toMatchObject([{ pointer: '/_asset', code: 'too_big' }]);
    expect(faultsIn(await queried(200))).toMatchObject([{ pointer: '', code: 'too_many' }]);
  });

  test('1,500 unknown fields are told in at most 100 faults', async () => {
    const body = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`f${index}`, 1]));
    for (const method of METHODS) {
      expect(faultsIn(await send(method, { ...baseOf(method), ...body }))).toHaveLength(100);
    }
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'multipart/form-data; boundary=x',
  ])('%s is 415', async (type) => {
    // A proof may be a form.
    const isForm = type.startsWith('multipart');
    for (const method of METHODS.filter((name) => !isForm || name !== 'POST proof')) {
      expect(faultsIn(await send(method, baseOf(method), { 'Content-Type': type }), 415)).toHaveLength(1);
    }
  });

  test('any JSON at all is 400 with pointers, or an empty patch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), fc.jsonValue({ maxDepth: 4 }), async (method, value) => {
        const answer = await send(method, JSON.stringify(value));
        if (TARGETS[method].schema.safeParse(value).success) expect(answer.status).toBe(200);
        else faultsIn(answer);
      }),
      { numRuns: RUNS },
    );
  });

  test('any bytes at all are 400', async () => {
    const noJson = fc
      .uint8Array({ minLength: 1, maxLength: 200 })
      .filter((bytes) => !/^[\s\d"[{tfn-]/.test(Buffer.from(bytes).toString()));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), noJson, async (method, bytes) => {
        faultsIn(await send(method, Buffer.from(bytes)));
      }),
      { numRuns: RUNS },
    );
  });

  test('a good body with one character lost, doubled or changed is never our fault', async () => {
    const text = JSON.stringify({
      ...fullBody(),
      blockchainInfo: { destinationType: 'NOWHERE', destination: 'x' },
    });
    const place = fc.nat(text.length - 1);
    const change = fc.constantFrom('', '""', '{', ']', '\\', '\u0000', 'é', '9'.repeat(400), '\\ud800');
    await fc.assert(
      fc.asyncProperty(place, change, async (at, put) => {
        faultsIn(await send('POST transaction', text.slice(0, at) + put + text.slice(at + 1)));
      }),
      { numRuns: RUNS },
    );
  });

  testThatNothingWasStored();
});

describe('where others than tenants write, and where a person does', () => {
  let doors: Record<string, { path: string; headers: Record<string, string> }>;
  let before: unknown;
  beforeAll(async () => {
    await ensureGateways(api.db, new Date());
    const wallet = { address: evmAddress(), asset: 'ETH', blockchain: 'Ethereum' };
    const { body } = await tenant.post('/wallets', wallet);
    const found = await tenant.get(`/wallets/${String(body['id'])}/travel-address`);
    const token = travelTokenIn(String(found.body['travelAddress']));
    const { apiKey: partnerKey } = await createPartner(api);
    const trp = { 'api-version': '3.2.1', 'request-identifier': 'deep' };
    const portal = { 'X-Portal-Token': 'A'.repeat(64), 'X-Portal-Session': 'A'.repeat(43) };
    const partner = { 'X-Partner-Api-Key': partnerKey.apiKey };
    const key = { 'X-Api-Key': tenant.apiKey };
    doors = {
      'POST inquiry': { path: `${INQUIRY_PATH}${token}?t=i`, headers: trp },
      'POST portal session': { path: '/portal/session', headers: portal },
      'PATCH portal message': { path: '/portal/message', headers: portal },
      'POST portal repair': { path: '/portal/message/repair', headers: portal },
      'PATCH partner': { path: '/partners/me', headers: partner },
      'POST partner message': { path: '/partners/me/transactions', headers: partner },
      'PATCH partner message': { path: `/partners/me/transactions/${id}`, headers: partner },
      'POST repair': { path: `/transactions/${id}/repair`, headers: key },
      'POST proceed': { path: `/transactions/${id}/proceed`, headers: key },
      'POST disposition': { path: `/transactions/${id}/assets-disposition`, headers: key },
      'POST step': { path: `/counterparties/${id}/steps`, headers: key },
    };
    before = await stored();
  });

  test.each([
    ['100,000 lists within each other', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'too_deep'],
    ['40 objects within each other', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 'too_deep'],
    ['a name twice', '{"reason":"seen","reason":"not seen"}', 'malformed_json'],
    ['a name twice inside', '{"a":{"b":1,"b":2}}', 'malformed_json'],
  ])('%s: 400', async (_what, body, code) => {
    for (const [name, { path, headers }] of Object.entries(doors)) {
      const answer = await api.request(name.split(' ')[0] ?? '', path, { headers, body });
      expect({ name, codes: faultsIn(answer).map((fault) => fault.code) }).toEqual({ name, codes: [code] });
    }
  });

  test.each(['resolutions', 'confirmations'])(
    'a body for a made-up token of /trp/%s is not read: 404',
    async (kind) => {
      const headers = { 'api-version': '3.2.1', 'request-identifier': 'deep' };
      const answer = await api.request('POST', `/trp/${kind}/token`, { headers, body: '{"a":1,"a":2}' });
      expect([answer.status, answer.body]).toMatchObject([404, { code: 'not_found', errors: [] }]);
    },
  );

  test('none of them stored anything or was logged as an error', async () => {
    expect(await stored()).toEqual(before);
    expect(api.log.filter((line) => Number(line['level']) >= 50)).toEqual([]);
  });
});
