import type { ErrorCode } from '../../domain/errors.ts';
import { documentedErrors, type Endpoint, type ResponseText } from '../endpoint.ts';
import { Problem, PROBLEMS } from '../errors.ts';
import { headerRef, text } from './components.ts';
import { EXAMPLE_ANSWERS } from './example-answers.ts';
import { toJsonSchema, type SchemaTable } from './schema-table.ts';

type JsonObject = Record<string, unknown>;

/** The `responses` of an operation: what it declares, and a problem document for every status of its error codes. */
export function responsesOf(endpoint: Endpoint, table: SchemaTable): JsonObject {
  const problems = problemsByStatus(endpoint);
  const statuses = new Set([...Object.keys(endpoint.responses), ...problems.keys()].map(Number));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const documented = { status, declared: endpoint.responses[status], codes: problems.get(status) };
      return [String(status), response(endpoint, documented, table)];
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

function response(endpoint: Endpoint, documented: DocumentedStatus, table: SchemaTable): JsonObject {
  const { status, declared, codes } = documented;
  const description = [declared?.description, codes?.map((code) => `\`${code}\``).join(', ')];
  return {
    description: description.filter(Boolean).join(' '),
    headers: responseHeaders(endpoint, status, declared),
    ...((codes || declared?.schema || declared?.contentType) && {
      content: {
        ...(declared && content(endpoint, declared, table)),
        ...(codes && { 'application/problem+json': { schema: toJsonSchema(Problem, table) } }),
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
    'X-Request-Id': headerRef('RequestId'),
    ...((auth === 'TENANT' || auth === 'PARTNER') && {
      RateLimit: headerRef('RateLimit'),
      'RateLimit-Policy': headerRef('RateLimitPolicy'),
    }),
    ...(idempotency !== 'NONE' && declared && { 'Idempotency-Replayed': headerRef('IdempotencyReplayed') }),
    ...([429, 503].includes(status) && { 'Retry-After': headerRef('RetryAfter') }),
    ...(Object.fromEntries(own) as JsonObject),
  };
}

function content(
  { operationId }: Endpoint,
  { schema, contentType }: ResponseText,
  table: SchemaTable,
): JsonObject {
  if (contentType) {
    const isText = contentType.startsWith('text/');
    return { [contentType]: { schema: { type: 'string', ...(!isText && { format: 'binary' }) } } };
  }
  if (!schema) return {};
  const example: unknown = EXAMPLE_ANSWERS[operationId];
  // The example is shown at the response whose schema it fits.
  const isShown = example !== undefined && schema.safeParse(example).success;
  return {
    'application/json': { schema: toJsonSchema(schema, table), ...(isShown && { example }) },
  };
}
