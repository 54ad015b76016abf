/** Every way a request can be refused. `api/errors.ts` maps each to its HTTP status. */
export type ErrorCode =
  | 'validation_failed'
  | 'malformed_json'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'unauthenticated'
  | 'key_expired'
  | 'key_revoked'
  | 'wrong_environment'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'review_required'
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

/** One fault in a request: `pointer` is a JSON Pointer into the body, or `/name` of a query parameter. */
export interface FieldError {
  pointer: string;
  code: string;
  message: string;
  /** Of a CSV file: where it is. Row 1 is the header; null is the file as a whole. */
  row?: number | null;
  field?: string | null;
  /** Of rules: the rule it is in, and the field of the leaf. */
  ruleId?: string | null;
  leaf?: string | null;
}

interface ErrorDetails {
  errors?: FieldError[];
  /** Additional members of the problem document, such as `allowed` or `id`. */
  members?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

/** A refusal whose text may be shown to the caller: it never carries personal data or another tenant's existence. */
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

/** The refusal of a request with one faulty field. */
export function invalidField(pointer: string, code: string, message: string): DomainError {
  return new DomainError('validation_failed', 'The request is not valid.', {
    errors: [{ pointer, code, message }],
  });
}

/** A record that does not exist, was deleted, or belongs to somebody else: the caller cannot tell which. */
export function notFound(what: string): DomainError {
  return new DomainError('not_found', `There is no such ${what}.`);
}
