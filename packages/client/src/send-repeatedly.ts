import { attempt, type AttemptResult, type PreparedRequest, type ReceivedAnswer } from './exchange.ts';
import { WaybillProblem } from './problems.ts';
import { waitBefore, type RetryPolicy } from './retry.ts';
import { pause } from './time.ts';

/** Changes of which a repeat is refused once the first one was done: whoever sent it reads what is stored. */
const NOT_REPEATED: readonly string[] = [
  '/rule-engine/{id}/draft',
  '/wallet-verification/{id}',
  '/wallet-verification/{id}/additional-steps/{kind}',
];
/** It answers a repeat with the record: a 404 of it is true. */
const REVOKE_KEY = '/tenant/me/api-keys/{id}';
/**
 * What reads no Idempotency-Key: the pages of wallet owners and of the e-mail portal, what other VASPs call by TRP, which has
 * its own identifiers, and sign-in and the like, of which a repeat is another session.
 */
const UNKEYED = ['/wallet/', '/portal/', '/trp/', '/auth/'];

/** True if the API reads the Idempotency-Key of the request. */
export function takesIdempotencyKey({
  method,
  template,
}: Pick<PreparedRequest, 'method' | 'template'>): boolean {
  return method === 'POST' && !UNKEYED.some((beginning) => template.startsWith(beginning));
}

/**
 * Sends a request until it is accepted, refused for good, or the policy allows no further attempt. Sends it again only
 * where that has no further effect. Throws WaybillError, and the reason of the caller's signal.
 */
export async function sendRepeatedly(
  send: typeof fetch,
  request: PreparedRequest,
  policy: RetryPolicy,
): Promise<ReceivedAnswer> {
  let mayBeDone = false;
  for (let retry = 1; ; retry += 1) {
    const result = await attempt(send, request);
    if (result.kind === 'ACCEPTED') return result.answer;
    if (mayBeDone && isDeleted(request, result)) return { body: undefined, headers: new Headers() };
    const waitMs = mayRepeat(request, result, { mayBeDone })
      ? waitBefore(retry, policy, retryAfterOf(result))
      : undefined;
    if (waitMs === undefined) throw result.error;
    mayBeDone ||= isDoubtful(result);
    await pause(waitMs, request.signal);
  }
}

type FailedAttempt = Exclude<AttemptResult, { kind: 'ACCEPTED' }>;

function mayRepeat(
  request: PreparedRequest,
  result: FailedAttempt,
  { mayBeDone }: { mayBeDone: boolean },
): boolean {
  if (result.kind === 'NOT_SENT' || statusOf(result) === 429) return true;
  if (isDoubtful(result)) return hasNoFurtherEffect(request);
  return mayBeDone && isStillRunning(request, result);
}

/** True if the request may have been done: its answer was lost, or is a 503. */
function isDoubtful(result: FailedAttempt): boolean {
  return result.kind === 'UNKNOWN' || statusOf(result) === 503;
}

/** True if a repeat sets no more than the first attempt did. It overwrites what somebody else has set in between. */
function hasNoFurtherEffect(request: PreparedRequest): boolean {
  if (request.method === 'POST') return takesIdempotencyKey(request);
  return request.method !== 'PATCH' || !NOT_REPEATED.includes(request.template);
}

/** True if an earlier attempt under the same Idempotency-Key has not ended. */
function isStillRunning(request: PreparedRequest, { error }: FailedAttempt): boolean {
  return (
    takesIdempotencyKey(request) &&
    error instanceof WaybillProblem &&
    error.code === 'conflict' &&
    error.retryAfterMs !== undefined
  );
}

/** True if an earlier attempt has deleted the record. Of a list of ids nobody knows which ones that were. */
function isDeleted({ method, template }: PreparedRequest, result: FailedAttempt): boolean {
  return method === 'DELETE' && template.includes('{') && template !== REVOKE_KEY && statusOf(result) === 404;
}

function statusOf({ kind, error }: FailedAttempt): number | undefined {
  return kind === 'REFUSED' ? error.status : undefined;
}

function retryAfterOf(result: FailedAttempt): number | undefined {
  if (result.kind === 'REFUSED') return result.error.retryAfterMs;
  return result.kind === 'UNKNOWN' ? result.retryAfterMs : undefined;
}
