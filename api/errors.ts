import { types } from 'node:util';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { z } from 'zod';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { sendAnswer, type EndpointAnswer } from './send-answer.ts';

/** The HTTP status and the problem title of each error code. */
export const PROBLEMS: Record<ErrorCode, { status: number; title: string }> = {
  validation_failed: { status: 400, title: 'The request is not valid' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unauthenticated: { status: 401, title: 'Valid credentials are required' },
  code_required: { status: 401, title: 'A code of the second factor is required' },
  key_expired: { status: 401, title: 'The key has expired' },
  key_revoked: { status: 401, title: 'The key has been revoked' },
  ip_not_allowed: { status: 403, title: 'The key may not be used from this address' },
  wrong_environment: { status: 401, title: 'The key belongs to the other environment' },
  forbidden: { status: 403, title: 'The role does not allow this' },
  tenant_suspended: { status: 403, title: 'The tenant is suspended' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The path does not take this method' },
  conflict: { status: 409, title: 'The request conflicts with what is stored' },
  review_required: { status: 409, title: 'A review has to decide first' },
  screening_pending: { status: 409, title: 'The screening has to end first' },
  invalid_transition: { status: 409, title: 'The status cannot change that way' },
  last_api_key: { status: 409, title: 'The last valid key cannot be revoked' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for another request' },
  rules_invalid: { status: 400, title: 'The rules are not valid' },
  csv_invalid: { status: 400, title: 'The CSV file is not valid' },
  file_type_not_allowed: { status: 400, title: 'The file type is not allowed' },
  file_too_large: { status: 413, title: 'The file is too large' },
  signature_malformed: { status: 400, title: 'The signature is malformed' },
  signature_mismatch: { status: 400, title: 'The signature is of another signer or message' },
  signature_typed_data: { status: 400, title: 'Typed-data signatures are not accepted' },
  message_empty: { status: 400, title: 'The message is empty' },
  verification_completed: { status: 409, title: 'The verification is already completed' },
  verification_expired: { status: 410, title: 'The verification has expired' },
  provider_not_activated: { status: 409, title: 'No provider is activated' },
  provider_error: { status: 502, title: 'The provider gave a faulty answer' },
  provider_unavailable: { status: 503, title: 'The provider cannot be reached' },
  temporarily_unavailable: { status: 503, title: 'Temporarily unavailable' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
};

/** The body of every error response: RFC 9457 with members of our own. Some codes add more, such as `allowed` or `id`. */
export const Problem = z
  .looseObject({
    type: z.string().describe('URL of the explanation of the code.'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().describe('URI of this occurrence; ends in the request id.'),
    code: z.enum(Object.keys(PROBLEMS) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    errors: z.array(
      z.object({
        pointer: z.string().describe('JSON Pointer into the body, or `/name` of a query parameter.'),
        code: z.string(),
        message: z.string(),
        row: z.int().nullable().optional().describe('CSV files only: the row; 1 is the header.'),
        field: z.string().nullable().optional().describe('CSV files only: the column.'),
        ruleId: z.string().nullable().optional().describe('Rules only: the id of the rule.'),
        leaf: z.string().nullable().optional().describe('Rules only: the field that the leaf compares.'),
      }),
    ),
  })
  .meta({ id: 'Problem', description: 'The reason why a request was refused.' });

/** Turns an error into its problem document, with headers. */
export function problemAnswer(error: DomainError, requestId: string): EndpointAnswer {
  const { code, details, message } = error;
  const { status, title } = PROBLEMS[code];
  const headers: Record<string, string> = { 'Content-Type': 'application/problem+json' };
  if (details.retryAfterSeconds !== undefined) headers['Retry-After'] = String(details.retryAfterSeconds);
  if (status === 401) headers['WWW-Authenticate'] = 'ApiKey, Bearer';
  const problem = {
    ...details.members,
    type: `/docs#errors-${code}`,
    title,
    status,
    detail: message,
    instance: `/requests/${requestId}`,
    code,
    requestId,
    errors: details.errors ?? [],
  };
  return { status, headers, body: Buffer.from(JSON.stringify(problem)) };
}

/** The application's last handler: answers every thrown error with a problem document and logs those with status 5xx. */
export function handleErrors(): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters, so `_next` must stay.
  return (error: unknown, request, response, _next) => {
    const refusal = toDomainError(error);
    if (!response.destroyed && PROBLEMS[refusal.code].status >= 500) {
      request.log.error({ err: error, code: refusal.code }, 'request failed');
    }
    if (response.headersSent) response.destroy();
    else sendAnswer(response, problemAnswer(refusal, response.locals.requestId));
  };
}

/** Answers requests that no endpoint has taken with 404 not_found. */
export function refuseUnknownPath(): RequestHandler {
  return () => {
    throw new DomainError('not_found', 'There is no such path; /docs lists them all.');
  };
}

/** The error as a caller is told it: whatever else is thrown has a code, too. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  // Express throws URIError for a path with broken percent-encoding, which cannot name a record.
  if (error instanceof URIError) return new DomainError('not_found', 'There is no such path.');
  if (isDatabaseTrouble(error)) {
    return new DomainError('temporarily_unavailable', 'Please send the request again in a moment.', {
      retryAfterSeconds: 2,
    });
  }
  return new DomainError('internal', 'The fault is on our side; our log has it under the request id.');
}

/**
 * PostgreSQL's codes for connection errors, shutdown, too many clients, deadlocks, and lock and statement timeouts; and
 * Node's codes for network errors.
 */
const TROUBLE_CODES =
  /^(08\w{3}|57P0[1-3]|57014|53\w{3}|40001|40P01|55P03|ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
/** Messages of connection errors that pg and Knex throw without a code. */
const TROUBLE_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Knex: Timeout acquiring)/;

function isDatabaseTrouble(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && TROUBLE_CODES.test(code)) return true;
  return TROUBLE_MESSAGES.test(error.message) || isDatabaseTrouble(error.cause);
}
