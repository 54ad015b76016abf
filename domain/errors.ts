/** All error codes of the API. `api/errors.ts` maps each to its HTTP status. */
export type ErrorCode =
  | 'validation_failed'
  | 'malformed_json'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'unauthenticated'
  | 'code_required'
  | 'key_expired'
  | 'key_revoked'
  | 'ip_not_allowed'
  | 'wrong_environment'
  | 'forbidden'
  | 'tenant_suspended'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'review_required'
  | 'screening_pending'
  | 'invalid_transition'
  | 'last_api_key'
  | 'idempotency_key_reused'
  | 'rules_invalid'
  | 'csv_invalid'
  | 'file_type_not_allowed'
  | 'file_too_large'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'signature_typed_data'
  | 'message_empty'
  | 'verification_completed'
  | 'verification_expired'
  | 'provider_not_activated'
  | 'provider_error'
  | 'provider_unavailable'
  | 'temporarily_unavailable'
  | 'rate_limited'
  | 'internal';

/** A fault in a request: `pointer` is a JSON Pointer into the body, or `/name` for a query parameter. */
export interface FieldError {
  pointer: string;
  code: string;
  message: string;
  /** Row of an uploaded file: 1 is the header of CSV; null stands for the whole file. */
  row?: number | null;
  field?: string | null;
  /** For faults in rules: the rule, and the field of the leaf. */
  ruleId?: string | null;
  leaf?: string | null;
}

interface ErrorDetails {
  errors?: FieldError[];
  /** Additional members of the problem document, such as `allowed` or `id`. */
  members?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

/** An error whose text may be shown to the caller. It never contains personal data or reveals another tenant. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, publicMessage: string, details: ErrorDetails = {}) {
    super(publicMessage);
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
  }
}

/** The error for a request with invalid fields, at least one. Its text names the first. */
export function invalidRequest(errors: FieldError[]): DomainError {
  return new DomainError('validation_failed', firstFaultText(errors), { errors });
}

/** The error for a request with one invalid field. */
export function invalidField(pointer: string, code: string, message: string): DomainError {
  return invalidRequest([{ pointer, code, message }]);
}

/** Names of unknown fields are as long as the caller likes. */
const POINTER_LENGTH = 200;

/** The first of several faults and how many others there are, as in `/asset: This field is required. (2 more faults)`. */
export function firstFaultText(errors: readonly FieldError[]): string {
  const [first, ...others] = errors;
  if (!first) return 'The request is not valid.';
  const { row = null, field = null, pointer, message } = first;
  const place =
    row === null ? pointer.slice(0, POINTER_LENGTH) : `row ${row}${field === null ? '' : `, ${field}`}`;
  const more =
    others.length === 0 ? '' : ` (${others.length} more ${others.length === 1 ? 'fault' : 'faults'})`;
  return `${place === '' ? '' : `${place}: `}${message}${more}`;
}

/** The error for a record that does not exist, was deleted, or belongs to another tenant: callers cannot tell which. */
export function notFound(what: string): DomainError {
  return new DomainError('not_found', `There is no such ${what}.`);
}
