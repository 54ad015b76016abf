import type { RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { DomainError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { LimitKind } from '../caller.ts';

const WINDOW_MS = 60_000;

/**
 * One budget per kind, API key and minute, counted in this process. Endpoints of a kind share it; a limit of 0, and
 * a caller without an API key, is not counted.
 */
export function createRateLimits(deps: Deps): Record<LimitKind, RequestHandler> {
  return {
    READS: limitRate('READS', deps),
    WRITES: limitRate('WRITES', deps),
    SCREENING: limitRate('SCREENING', deps),
    HOSTED: limitByAddress(deps),
  };
}

/** Whoever has no key is counted by address (IPv6 by network): tokens must not be guessed, pages not be hammered. */
function limitByAddress(deps: Deps): RequestHandler {
  const limit = deps.settings.RATE_LIMIT_HOSTED;
  return rateLimit({
    windowMs: WINDOW_MS,
    identifier: 'hosted',
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    validate: false,
    skip: () => limit === 0,
    limit,
    keyGenerator: ({ ip }) => ipKeyGenerator(ip ?? ''),
    handler: (_request, _response, next) =>
      next(new DomainError('rate_limited', 'Too many requests from this address in this minute.')),
  });
}

function limitRate(kind: LimitKind, deps: Deps): RequestHandler {
  const limitOf = (response: Response) => perMinute(kind, deps, response);
  return rateLimit({
    windowMs: WINDOW_MS,
    identifier: kind.toLowerCase(),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Its checks are about counting by address behind proxies, which is not done here.
    validate: false,
    skip: (_request, response) => limitOf(response) === 0,
    limit: (_request, response) => limitOf(response),
    keyGenerator: (_request, response) => apiKeyId(response) ?? '',
    handler: (_request, _response, next) => next(tooManyRequests(kind)),
  });
}

function perMinute(kind: LimitKind, deps: Deps, response: Response): number {
  const { caller } = response.locals;
  if (caller?.kind !== 'API_KEY') return 0;
  return caller.tenant.rateLimits[kind] ?? deps.settings[`RATE_LIMIT_${kind}`];
}

function apiKeyId(response: Response): string | undefined {
  const { caller } = response.locals;
  return caller?.kind === 'API_KEY' ? caller.apiKeyId : undefined;
}

/** The limiter has set Retry-After by then. */
function tooManyRequests(kind: LimitKind): DomainError {
  return new DomainError(
    'rate_limited',
    `The ${kind.toLowerCase()} of this minute are used up for this key.`,
  );
}
