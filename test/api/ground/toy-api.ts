import { z } from 'zod';
import { readSettings, type Settings } from '../../../process/settings.ts';
import { DomainError, notFound } from '../../../domain/errors.ts';
import { listQuery, oneOrMore, Timestamp } from '../../../domain/list-query.ts';
import { SCREENING_DEFAULTS } from '../../../domain/sanctions-screening/settings.ts';
import { createLog } from '../../../process/log.ts';
import { createApp } from '../../../api/app.ts';
import type { Role } from '../../../domain/tenants/role.ts';
import type { Deps } from '../../../api/deps.ts';
import type { OperatorCaller, TenantCaller } from '../../../api/caller.ts';
import { defineEndpoint, IdParam, UuidParam, type Endpoint } from '../../../api/endpoint.ts';
import { createMetrics } from '../../../api/request-metrics.ts';
import { startServer, type ServerOptions } from '../../../api/server.ts';

export const TENANT_KEY = 'key-COMPLIANCE';
export const OPERATOR_KEY = 'operator-key';

const Pet = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Pet' });
type Nest = Nest[];
const Nest: z.ZodType<Nest> = z.lazy(() => z.array(Nest));

const PetBody = z.strictObject({
  name: z.string().max(40),
  kind: z.enum(['CAT', 'DOG']).optional(),
  weight: z.number().optional(),
  owner: z.strictObject({ country: z.string().length(2) }).optional(),
  tags: z.array(z.string()).optional(),
  born: Timestamp.optional(),
  nest: Nest.optional(),
  price: z.union([z.number(), z.string().regex(/^\d+$/)]).optional(),
});

const PET_ID = '0190d1a2-7b3c-7def-8123-456789abcdef';

/** What reached the handlers: nothing may, when a request is refused. */
export const handled: unknown[] = [];

const postPet = defineEndpoint({
  operationId: 'postPet',
  method: 'POST',
  path: '/pets',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Pets',
  summary: 'Create a pet',
  body: PetBody,
  responses: { 201: { description: 'Created.', schema: Pet } },
  errors: ['conflict'],
  async handle({ body, caller }) {
    handled.push(body);
    if (body.name === 'taken') {
      throw new DomainError('conflict', 'There is one already.', { members: { id: PET_ID, status: 200 } });
    }
    return { status: 201, body: { id: caller.tenantId, name: body.name } };
  },
});

const listPets = defineEndpoint({
  operationId: 'listPets',
  method: 'GET',
  path: '/pets',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Pets',
  summary: 'List pets',
  query: listQuery({
    sortable: ['createdAt', 'name'],
    filters: { _kind: oneOrMore(z.enum(['CAT', 'DOG'])), _from: Timestamp },
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: z.array(z.unknown()),
      headers: { 'X-Total-Count': 'All that fit the filters.' },
    },
  },
  errors: [],
  async handle({ query }) {
    return {
      status: 200,
      body: [{ ...query, order: query.order }],
      headers: query.wantsCount ? { 'X-Total-Count': '7' } : {},
    };
  },
});

const getPet = defineEndpoint({
  operationId: 'getPet',
  method: 'GET',
  path: '/pets/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Pets',
  summary: 'Read a pet',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The pet.', schema: Pet } },
  errors: [],
  async handle({ params }) {
    if (params.id !== PET_ID) throw notFound('pet');
    return { status: 200, body: { id: params.id, name: 'Rex' } };
  },
});

const patchPet = defineEndpoint({
  operationId: 'patchPet',
  method: 'PATCH',
  path: '/pets/{id}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Pets',
  summary: 'Change a pet',
  params: z.strictObject({ id: UuidParam }),
  body: PetBody.partial(),
  bodyOptional: true,
  responses: { 200: { description: 'Changed.', schema: null } },
  errors: [],
  handle: async () => ({ status: 200 }),
});

const deleteCage = defineEndpoint({
  operationId: 'deleteCage',
  method: 'DELETE',
  path: '/cages/{id}',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  tag: 'Cages',
  summary: 'Delete a cage',
  params: z.strictObject({ id: IdParam }),
  responses: { 204: { description: 'Deleted.', schema: null } },
  errors: [],
  async handle({ params }) {
    if (params.id !== 7) throw notFound('cage');
    return { status: 204 };
  },
});

const previewPet = defineEndpoint({
  operationId: 'previewPet',
  method: 'POST',
  path: '/pets/preview',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'LEASE',
  tag: 'Pets',
  summary: 'Preview a pet',
  responses: { 200: { description: 'A preview.', schema: z.object({ caller: z.string() }) } },
  errors: [],
  handle: async ({ caller }) => ({ status: 200, body: { caller: caller.kind } }),
});

export const toyEndpoints = [getPet, patchPet, postPet, listPets, deleteCage, previewPet];

/** An endpoint at `GET /odd` that does what the test says. */
export function oddEndpoint(handle: Endpoint['handle']): Endpoint {
  return defineEndpoint({
    operationId: 'answerOdd',
    method: 'GET',
    path: '/odd',
    auth: 'NONE',
    limit: 'READS',
    tag: 'Odd',
    summary: 'Does what the test says',
    responses: { 200: { description: 'Fine.', schema: Pet } },
    errors: [],
    handle,
  });
}

/** Stands before what the key of a deployment would hash. */
export const KEYED = Buffer.from('keyed ');

interface ToyOptions {
  endpoints?: readonly Endpoint[];
  config?: Partial<Settings>;
  deps?: Partial<Deps>;
  limits?: ServerOptions['limits'];
  checkResponses?: boolean;
}

/** A real server with toy endpoints; `log` fills with its log lines. */
export async function startToy(options: ToyOptions = {}) {
  const log: Record<string, unknown>[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>);
  // The toys use nothing of the database behind the real endpoints.
  const deps = {
    log: createLog('toy', 'info', { write }),
    settings: { ...readSettings({}), ...options.config },
    metrics: createMetrics(),
    authenticateTenant,
    recallTenant: () => undefined,
    authenticateOperator,
    answerOnce: async ({ run }) => await run(),
    readInTurn: async (_owner, work) => await work(),
    audit: {
      prepare: async () => await Promise.resolve(),
      write: async () => await Promise.resolve(),
      writeFirstOfHour: async () => await Promise.resolve(),
      count: () => undefined,
      countAtOnce: async () => await Promise.resolve(),
      close: async () => await Promise.resolve(),
    },
    requestHashes: (plain) => [Buffer.concat([KEYED, plain])],
    isReady: async () => ({ checks: { database: true, migrations: true, masterKey: true }, degraded: [] }),
    ...options.deps,
  } satisfies Partial<Deps> as Deps;
  const app = createApp({
    endpoints: options.endpoints ?? toyEndpoints,
    deps,
    checkResponses: options.checkResponses ?? true,
  });
  const { limits } = options;
  const server = await startServer({ app, host: '127.0.0.1', port: 0, ...(limits && { limits }) });
  return { ...server, app, deps, log, send: sender(server.url) };
}

export type Toy = Awaited<ReturnType<typeof startToy>>;

interface Sent {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown>;
}

/** With one of them a request gets no key by itself. */
const CREDENTIALS = ['X-Api-Key', 'X-Operator-Key', 'X-Partner-Api-Key', 'Authorization', 'Cookie'];

type SendInit = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

function sender(url: string) {
  return async (path: string, { headers, ...init }: SendInit = {}): Promise<Sent> => {
    const all = {
      ...(!CREDENTIALS.some((name) => headers?.[name] !== undefined) && { 'X-Api-Key': TENANT_KEY }),
      ...(init.body && { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const answer = await fetch(url + path, { ...init, headers: all });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') && text;
    const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
    return { status: answer.status, headers: answer.headers, text, json };
  };
}

/** The key names its role: `key-ADMIN`. */
async function authenticateTenant(apiKey: string): Promise<TenantCaller> {
  const role = /^key-(ADMIN|COMPLIANCE|OBSERVER)$/.exec(apiKey)?.[1] as Role | undefined;
  if (!role) throw new DomainError('unauthenticated', 'The key is not valid.');
  return tenantCaller(role);
}

export function tenantCaller(role: Role): TenantCaller {
  const tenant = {
    name: 'Toys',
    email: null,
    entityId: 'entity-1',
    rateLimits: {},
    screening: SCREENING_DEFAULTS,
    hasSuppressions: false,
    outgoingBrake: null,
  };
  const actor = { kind: 'API_KEY' as const, id: `id-of-${role}` };
  return { kind: 'TENANT', tenantId: 'tenant-1', actor, role, tenant };
}

function authenticateOperator(key: string): OperatorCaller {
  if (key !== OPERATOR_KEY) throw new DomainError('unauthenticated', 'The key is not valid.');
  return { kind: 'OPERATOR', actor: { kind: 'OPERATOR', operatorName: 'operator' } };
}
