import type { Schemas } from './operations.ts';

/** The members of a problem document (RFC 9457) as the API sends it. Some codes add more, such as `allowed` or `id`. */
export type ProblemDocument = Schemas['Problem'];
export type ProblemCode = ProblemDocument['code'];

/** The parent of every error that this package throws, except those of wrong arguments and of an aborted signal. */
export class WaybillError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No usable answer came after all retries. `cause` is what the last attempt met. The request may have been done. */
export class ConnectionFailed extends WaybillError {}

/** Something else than the API has answered, such as a proxy. */
export class UnexpectedAnswer extends WaybillError {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The API refused the request. It holds no API key and no personal data. */
export class WaybillProblem extends WaybillError {
  readonly status: number;
  readonly code: ProblemCode;
  readonly title: string;
  /** One sentence; of several faults it names the first. */
  readonly detail: string;
  /** All faults of the request, by JSON Pointer. */
  readonly errors: ProblemDocument['errors'];
  /** The id under which the log of the server has this request. */
  readonly requestId: string;
  /** The wait that the API asks for before the request is sent again, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The whole document. */
  readonly document: ProblemDocument;

  constructor(request: string, document: ProblemDocument, retryAfterMs: number | undefined) {
    const { status, code, title, detail, errors, requestId } = document;
    super(`${request}: ${status} ${code}: ${detail} (request ${requestId})`);
    this.status = status;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.document = document;
  }
}

/** 400, 413, 415: the request itself is wrong; `errors` says where. */
export class ValidationProblem extends WaybillProblem {}
/** 401: the key is missing, unknown, expired, revoked, or of the other environment. */
export class Unauthenticated extends WaybillProblem {}
/** 403: the role of the key does not allow this, or the tenant is suspended (`tenant_suspended`). */
export class Forbidden extends WaybillProblem {}
/** 404: there is no such record of this tenant. */
export class NotFound extends WaybillProblem {}
/** 410: the verification has expired. */
export class VerificationExpired extends WaybillProblem {}
/** 422: the Idempotency-Key was used for another request. */
export class IdempotencyKeyReused extends WaybillProblem {}
/** 429: too many requests; `retryAfterMs` says when the limit resets. */
export class RateLimited extends WaybillProblem {}
/** 502, 503: an AML provider or the service does not answer now. */
export class Unavailable extends WaybillProblem {}

/** 409: the request conflicts with what is stored. */
export class ConflictProblem extends WaybillProblem {
  /** The id of the record that exists already, where the API names one: of the same `reference`, or of the same wallet. */
  get existingId(): string | undefined {
    const { id } = this.document;
    return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
  }
}

/** 409: the status cannot change that way. */
export class InvalidTransition extends ConflictProblem {
  /** The statuses that would be accepted now. */
  get allowed(): readonly string[] {
    const { allowed } = this.document;
    return Array.isArray(allowed) ? allowed.map(String) : [];
  }
}

/** 409: only `transactions.review` lets it go on. */
export class ReviewRequired extends ConflictProblem {}
/** 409: a list or provider that screens the transaction does not answer; try again after `retryAfterMs`. */
export class ScreeningPending extends ConflictProblem {}

type ProblemClass = new (...args: ConstructorParameters<typeof WaybillProblem>) => WaybillProblem;

const BY_CODE: Partial<Record<ProblemCode, ProblemClass>> = {
  invalid_transition: InvalidTransition,
  review_required: ReviewRequired,
  screening_pending: ScreeningPending,
};

const BY_STATUS: Record<number, ProblemClass> = {
  400: ValidationProblem,
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  409: ConflictProblem,
  410: VerificationExpired,
  413: ValidationProblem,
  415: ValidationProblem,
  422: IdempotencyKeyReused,
  429: RateLimited,
  502: Unavailable,
  503: Unavailable,
};

/** The error for a problem document. `request` is the method and the path without values, for the message. */
export function problemOf(
  request: string,
  document: ProblemDocument,
  retryAfterMs: number | undefined,
): WaybillProblem {
  const Problem = BY_CODE[document.code] ?? BY_STATUS[document.status] ?? WaybillProblem;
  return new Problem(request, document, retryAfterMs);
}

/** True for trouble that may pass by itself: no answer, too many requests, a service that is away. */
export function isTemporary(error: unknown): error is WaybillError {
  if (error instanceof ConnectionFailed || error instanceof RateLimited) return true;
  if (error instanceof UnexpectedAnswer) return error.status === 429 || error.status >= 500;
  return error instanceof WaybillProblem && error.status >= 500;
}
