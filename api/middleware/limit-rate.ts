import type { RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import { DomainError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { LimitKind } from '../caller.ts';
import { addressOf } from './caller-address.ts';

const WINDOW_MS = 60_000;

/** The limits that count for each API key or user. */
type CountedKind = Exclude<LimitKind, 'HOSTED' | 'TRP' | 'ANONYMOUS'>;

/**
 * Creates the rate limits, which are counted per minute and in this process only. The endpoints of one kind share a limit.
 * READS, WRITES and SCREENING are per key of a tenant or partner, or per user, and do not count operators; HOSTED, TRP and ANONYMOUS are per IP address. 0
 * is no limit.
 */
export function createRateLimits(deps: Deps): Record<LimitKind, RequestHandler> {
  return {
    READS: limitRate('READS', deps),
    WRITES: limitRate('WRITES', deps),
    SCREENING: limitRate('SCREENING', deps),
    HOSTED: limitByAddress('HOSTED', deps),
    TRP: limitByAddress('TRP', deps),
    ANONYMOUS: limitByAddress('ANONYMOUS', deps),
  };
}

/** Counts requests per IP address (IPv6 per network), so that nobody can guess tokens or overload what needs no key. */
function limitByAddress(kind: 'HOSTED' | 'TRP' | 'ANONYMOUS', { settings }: Deps): RequestHandler {
  const limit = settings[`RATE_LIMIT_${kind}`];
  return rateLimit({
    windowMs: WINDOW_MS,
    identifier: kind.toLowerCase(),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    validate: false,
    skip: () => limit === 0,
    limit,
    keyGenerator: addressOf,
    handler: (_request, _response, next) =>
      next(new DomainError('rate_limited', 'Too many requests from this address in this minute.')),
  });
}

function limitRate(kind: CountedKind, deps: Deps): RequestHandler {
  const limitOf = (response: Response) => perMinute(kind, deps, response);
  return rateLimit({
    windowMs: WINDOW_MS,
    identifier: kind.toLowerCase(),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Switches off the library's checks of IP addresses and proxies: this limit counts per API key or user.
    validate: false,
    skip: (_request, response) => limitOf(response) === 0,
    limit: (_request, response) => limitOf(response),
    keyGenerator: (_request, response) => actorId(response) ?? '',
    handler: (_request, _response, next) => next(tooManyRequests(kind)),
  });
}

function perMinute(kind: CountedKind, deps: Deps, response: Response): number {
  const { caller } = response.locals;
  if (caller?.kind === 'PARTNER') return deps.settings[`RATE_LIMIT_${kind}`];
  if (caller?.kind !== 'TENANT') return 0;
  return caller.tenant.rateLimits[kind] ?? deps.settings[`RATE_LIMIT_${kind}`];
}

function actorId(response: Response): string | undefined {
  const { caller } = response.locals;
  return caller?.kind === 'TENANT' || caller?.kind === 'PARTNER' ? caller.actor.id : undefined;
}

/** The error for a used-up limit. The rate limiter has already set Retry-After. */
function tooManyRequests(kind: CountedKind): DomainError {
  return new DomainError(
    'rate_limited',
    `The ${kind.toLowerCase()} of this minute are used up for this key or user.`,
  );
}
