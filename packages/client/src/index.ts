export { Waybill, type WaybillOptions } from './waybill.ts';
export { Listing } from './listing.ts';
export type { AnswerOf, BodyOf, CallOptions, Method, PathOf, QueryOf, Schemas } from './operations.ts';
export type { FiltersOf } from './api-calls.ts';
export type { NamedFile } from './calls/verifications.ts';
export type { RetryPolicy } from './retry.ts';
export { NotClearedInTime, type WaitOptions } from './wait-until-cleared.ts';
export {
  ConflictProblem,
  ConnectionFailed,
  Forbidden,
  IdempotencyKeyReused,
  InvalidTransition,
  isTemporary,
  NotFound,
  RateLimited,
  ReviewRequired,
  ScreeningPending,
  Unauthenticated,
  Unavailable,
  UnexpectedAnswer,
  ValidationProblem,
  VerificationExpired,
  WaybillError,
  WaybillProblem,
  type ProblemCode,
  type ProblemDocument,
} from './problems.ts';
export {
  verifyWebhook,
  WebhookRefused,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhook.ts';
export type * from './records.ts';
