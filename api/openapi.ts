import { z } from 'zod';
import type { ErrorCode } from '../domain/errors.ts';
import { rolesWith } from '../domain/tenants/role.ts';
import type { EndpointAuth } from './caller.ts';
import { documentedErrors, takesBody, type Endpoint, type ResponseText } from './endpoint.ts';
import { Problem, PROBLEMS } from './errors.ts';
import { webhookSection } from './openapi-webhooks.ts';
import type { PartRule, PartRules } from './uploads/part-rule.ts';
import type { DocumentedWebhook } from './webhooks/documented-webhooks.ts';

type JsonObject = Record<string, unknown>;

export interface ApiInfo {
  title: string;
  version: string;
  description: string;
}

/** Builds the OpenAPI 3.1 document of a list of endpoints, and of webhooks, from the schemas that parse their requests. */
export function writeOpenApi(
  endpoints: readonly Endpoint[],
  info: ApiInfo,
  webhooks: Readonly<Record<string, DocumentedWebhook>>,
): JsonObject {
  const schemas: SchemaTable = {};
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(endpoint, schemas),
    };
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: webhookSection(webhooks, (schema) => toJsonSchema(schema, schemas)),
    components: { schemas, headers: HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

const HEADERS = {
  RequestId: text('The id of the request: yours if you sent a usable X-Request-Id, else ours.'),
  RateLimit: text('Requests left until the limit resets: `"reads"; r=<requests>; t=<seconds>`.'),
  RateLimitPolicy: text('The rate limit: `"reads"; q=<requests>; w=<seconds>`.'),
  IdempotencyReplayed: text(
    '`true` if this is the stored answer of an earlier request with the same Idempotency-Key.',
  ),
  RetryAfter: text('Seconds to wait before the request is sent again.'),
};

const SECURITY_SCHEMES = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  AccessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  OperatorKey: { type: 'apiKey', in: 'header', name: 'X-Operator-Key' },
};

const SECURITY: Record<EndpointAuth, JsonObject[]> = {
  TENANT: [{ ApiKey: [] }, { AccessToken: [] }],
  OPERATOR: [{ OperatorKey: [] }],
  NONE: [],
};

function operation(endpoint: Endpoint, schemas: SchemaTable): JsonObject {
  const { auth, permission, tag, summary, description } = endpoint;
  const roles = auth === 'TENANT' ? `Roles: ${rolesWith(permission).join(', ')}.` : undefined;
  return {
    operationId: operationId(endpoint),
    tags: [tag],
    summary,
    description: [description, roles].filter(Boolean).join('\n\n'),
    security: SECURITY[auth],
    parameters: parameters(endpoint, schemas),
    ...bodies(endpoint, schemas),
    responses: responses(endpoint, schemas),
  };
}

/** `GET /wallets/{id}` is `getWalletsById`. */
function operationId({ method, path }: Endpoint): string {
  const words = path.split('/').map((segment) => segment.replace(/^\{(.*)\}$/, 'by-$1'));
  const name = words.join('-').replaceAll(/-+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  return method.toLowerCase() + name;
}

function parameters({ params, query, idempotency, responses }: Endpoint, schemas: SchemaTable): JsonObject[] {
  const isCounted = Object.values(responses).some(({ headers }) => headers?.['X-Total-Count']);
  return [
    ...members(params, schemas).map((member) => ({ ...member, in: 'path', required: true })),
    ...members(query, schemas).map((member) => ({ ...member, in: 'query' })),
    ...(idempotency === 'NONE' ? [] : [IDEMPOTENCY_KEY]),
    ...(isCounted ? [PREFER] : []),
  ];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  ...text(
    'A repeat of the request with the same key within 24 hours gets the first answer and has no further effect. ' +
      'Equal JSON is the same request, however it is written.',
  ),
};
const PREFER = { name: 'Prefer', in: 'header', ...text('`count=none` leaves X-Total-Count out.') };

function text(description: string): JsonObject {
  return { description, schema: { type: 'string' } };
}

/** The members of an object schema as OpenAPI parameters, without `in`. */
function members(schema: z.ZodType, schemas: SchemaTable): JsonObject[] {
  const { properties = {}, required = [] } = toJsonSchema(schema, schemas) as ObjectSchema;
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
  }));
}

interface ObjectSchema {
  properties?: Record<string, JsonObject>;
  required?: string[];
}

function requestBody({ body, bodyOptional }: Endpoint, schemas: SchemaTable): JsonObject {
  return {
    required: !bodyOptional,
    content: { 'application/json': { schema: toJsonSchema(body, schemas) } },
  };
}

/** The request body: JSON, a form, or a choice of both. */
function bodies(endpoint: Endpoint, schemas: SchemaTable): JsonObject {
  const given = [
    ...(takesBody(endpoint) ? [requestBody(endpoint, schemas)] : []),
    ...(endpoint.multipart ? [formBody(endpoint.multipart)] : []),
  ];
  if (given.length === 0) return {};
  const content = Object.assign({}, ...given.map((body) => body['content'])) as JsonObject;
  return { requestBody: { ...given[0], content } };
}

function formBody(rules: PartRules): JsonObject {
  const parts = Object.entries(rules).map(([name, rule]) => [name, formPart(rule)]);
  const required = Object.keys(rules).filter((name) => rules[name]?.required);
  const schema = { type: 'object', required, properties: Object.fromEntries(parts) as JsonObject };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function formPart({ kind, description, maxCount }: PartRule): JsonObject {
  const part = { type: 'string', ...(kind === 'FILE' && { contentMediaType: 'application/octet-stream' }) };
  return maxCount === 1
    ? { ...part, description }
    : { type: 'array', items: part, maxItems: maxCount, description };
}

function responses(endpoint: Endpoint, schemas: SchemaTable): JsonObject {
  const problems = problemsByStatus(endpoint);
  const statuses = new Set([...Object.keys(endpoint.responses), ...problems.keys()].map(Number));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const documented = { status, declared: endpoint.responses[status], codes: problems.get(status) };
      return [String(status), response(endpoint, documented, schemas)];
    }),
  );
}

function problemsByStatus(endpoint: Endpoint): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of documentedErrors(endpoint)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** A status can have both: 503 of `/health/ready` is either the readiness report or a problem document. */
interface DocumentedStatus {
  status: number;
  declared: ResponseText | undefined;
  codes: ErrorCode[] | undefined;
}

function response(
  endpoint: Endpoint,
  { status, declared, codes }: DocumentedStatus,
  schemas: SchemaTable,
): JsonObject {
  const description = [declared?.description, codes?.map((code) => `\`${code}\``).join(', ')];
  return {
    description: description.filter(Boolean).join(' '),
    headers: responseHeaders(endpoint, status, declared),
    ...((codes || declared?.schema || declared?.contentType) && {
      content: {
        ...(declared && content(declared, schemas)),
        ...(codes && { 'application/problem+json': { schema: toJsonSchema(Problem, schemas) } }),
      },
    }),
  };
}

function responseHeaders(
  { auth, idempotency }: Endpoint,
  status: number,
  declared: ResponseText | undefined,
): JsonObject {
  const own = Object.entries(declared?.headers ?? {}).map(([name, description]) => [name, text(description)]);
  return {
    'X-Request-Id': component('headers', 'RequestId'),
    ...(auth === 'TENANT' && {
      RateLimit: component('headers', 'RateLimit'),
      'RateLimit-Policy': component('headers', 'RateLimitPolicy'),
    }),
    ...(idempotency !== 'NONE' &&
      declared && { 'Idempotency-Replayed': component('headers', 'IdempotencyReplayed') }),
    ...([429, 503].includes(status) && { 'Retry-After': component('headers', 'RetryAfter') }),
    ...(Object.fromEntries(own) as JsonObject),
  };
}

function content({ schema, contentType }: ResponseText, schemas: SchemaTable): JsonObject {
  if (contentType) return { [contentType]: { schema: { type: 'string' } } };
  return schema ? { 'application/json': { schema: toJsonSchema(schema, schemas) } } : {};
}

function component(kind: 'schemas' | 'headers', name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The named schemas collected so far, by the id in their `meta`. */
type SchemaTable = Record<string, unknown>;

/**
 * Converts a schema to JSON Schema; schemas with an id become components. It describes the value on the wire, before
 * parsing. Parsing does not change an answer, so one component serves requests and answers.
 */
function toJsonSchema(schema: z.ZodType, schemas: SchemaTable): JsonObject {
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', override: tidy });
  for (const [id, definition] of Object.entries($defs)) schemas[id] = withComponents(definition);
  return withComponents(root) as JsonObject;
}

/** Drops zod's long pattern where a format says the same. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format) delete jsonSchema.pattern;
}

function withComponents(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as object;
}
