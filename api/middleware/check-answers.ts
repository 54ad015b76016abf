import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../domain/errors.ts';
import { documentedErrors, type Endpoint, type ResponseText } from '../endpoint.ts';
import { FAULT_CODES } from '../openapi/fault-codes.ts';
import type { EndpointAnswer } from '../send-answer.ts';

/** For tests: wraps an endpoint so that an undeclared status, header, body, error code or fault code becomes an internal error. */
export function checkAnswers(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    handle: async (request, deps) => {
      const answer = await endpoint
        .handle(request, deps)
        .catch((error: unknown) => refuseSurprise(endpoint, error));
      const fault = undocumented(endpoint, answer);
      if (!fault) return answer;
      request.log.fatal({ endpoint: nameOf(endpoint), fault }, 'the answer is not the documented one');
      throw new UndocumentedAnswer(`${nameOf(endpoint)}: ${fault}`);
    },
  };
}

class UndocumentedAnswer extends Error {
  override readonly name = 'UndocumentedAnswer';
}

function refuseSurprise(endpoint: Endpoint, error: unknown): never {
  const faults = error instanceof DomainError ? (error.details.errors ?? []) : [];
  const unlisted = faults.find(({ code }) => !(code in FAULT_CODES));
  if (unlisted) throw new UndocumentedAnswer(`${nameOf(endpoint)}: fault ${unlisted.code}`, { cause: error });
  if (error instanceof DomainError && !documentedErrors(endpoint).has(error.code)) {
    throw new UndocumentedAnswer(`${nameOf(endpoint)}: code ${error.code}`, { cause: error });
  }
  throw error;
}

function undocumented(
  endpoint: Endpoint,
  { status, body, headers = {} }: EndpointAnswer,
): string | undefined {
  // A replayed problem document: it was checked when it was first sent.
  if (headers['Content-Type'] === 'application/problem+json') return undefined;
  const declared = endpoint.responses[status];
  if (!declared) return `status ${status}`;
  const known = ['Content-Type', ...Object.keys(declared.headers ?? {})];
  if (endpoint.idempotency !== 'NONE') known.push('Idempotency-Replayed');
  const surprise = Object.keys(headers).find((name) => !known.includes(name));
  return surprise ? `header ${surprise}` : undocumentedBody(declared, body);
}

/** Compares a body with its schema. Parsing must not change the body; it would drop an undeclared field. */
function undocumentedBody({ schema, contentType }: ResponseText, body: unknown): string | undefined {
  if (contentType) {
    const isBytes = Buffer.isBuffer(body) || body instanceof Readable;
    return isBytes ? undefined : `body is not ${contentType}`;
  }
  if (!schema) return body === undefined ? undefined : 'body where there is none';
  if (body === undefined) return 'no body';
  const wire: unknown = JSON.parse(Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body));
  const parsed = schema.safeParse(wire);
  if (!parsed.success)
    return parsed.error.issues.map(({ path, code }) => `/${path.join('/')} ${code}`).join(', ');
  return isDeepStrictEqual(parsed.data, wire) ? undefined : 'fields that the schema does not have';
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}
