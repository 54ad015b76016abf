import { LRUCache } from 'lru-cache';
import {
  keepLease,
  newLease,
  startInPlace,
  stopRenewal,
  type EndpointOrigin,
  type LeasedEndpoint,
  type LeaseTerms,
} from './endpoint-lease.ts';

export type EndpointTurn = { granted: true; release: () => void } | { granted: false; waitMs: number };

export interface EndpointTurns {
  take(endpoint: EndpointOrigin): Promise<EndpointTurn>;
  /** Stops the renewal of leases. */
  close(): void;
}

type EndpointTurnsOptions = Pick<LeaseTerms, 'leasePlaces'> &
  Partial<LeaseTerms> & {
    /** Assumed hold time in milliseconds until the first request of an endpoint has ended. */
    firstGuessMs?: number;
  };

interface Endpoint extends LeasedEndpoint {
  /** Moving average of the time for which requests held their slot. */
  holdMs: number;
  /** The latest turn that was given to a refused caller. */
  lastTurnMs: number;
}

/**
 * Maximum endpoints in memory: far more than can have a request in flight at once, so that only idle ones are
 * dropped.
 */
const MAX_ENDPOINTS = 10_000;
const DEFAULTS = { maxInFlight: 8, slotMs: 10_000, leaseMs: 20_000, now: () => performance.now() };

/**
 * Shares the worker fairly between endpoints. A caller that finds an endpoint busy gets a time to come back, each
 * later than the previous one by the time in which the endpoint frees a slot: deliveries to a hanging endpoint come
 * back one after the other, while those to a quick one lose milliseconds.
 *
 * Workers divide the places of an endpoint by leases. A worker leases as many as it needs when it needs them, renews
 * them while it uses them, and gives back all but one when it has made no request for a second. That one ends by itself.
 */
export function createEndpointTurns(options: EndpointTurnsOptions): EndpointTurns {
  const terms: LeaseTerms = { ...DEFAULTS, ...options };
  const { firstGuessMs = terms.slotMs } = options;
  const endpoints = new LRUCache<string, Endpoint>({ max: MAX_ENDPOINTS });

  function endpointOf({ tenantId, origin }: EndpointOrigin): Endpoint {
    const key = `${tenantId} ${origin}`;
    const known = endpoints.get(key);
    const endpoint = known ?? { ...newLease({ tenantId, origin }), holdMs: firstGuessMs, lastTurnMs: 0 };
    if (!known) endpoints.set(key, endpoint);
    return endpoint;
  }

  return {
    async take(origin) {
      const endpoint = endpointOf(origin);
      const release = await startInPlace(terms, endpoint, () => start(terms, endpoint));
      return release ? { granted: true, release } : { granted: false, waitMs: reserve(terms, endpoint) };
    },
    close() {
      for (const endpoint of endpoints.values()) stopRenewal(endpoint);
    },
  };
}

/** Takes a place; returns what gives it back. */
function start(terms: LeaseTerms, endpoint: Endpoint): () => void {
  const request = { sinceMs: terms.now() };
  endpoint.inFlight.add(request);
  keepLease(terms, endpoint);
  return () => release(terms, endpoint, request);
}

function release({ now }: LeaseTerms, endpoint: Endpoint, request: { sinceMs: number }): void {
  if (!endpoint.inFlight.delete(request)) return;
  endpoint.holdMs += (now() - request.sinceMs - endpoint.holdMs) / 4;
  if (endpoint.inFlight.size === 0) endpoint.lastTurnMs = 0;
}

function reserve(terms: LeaseTerms, endpoint: Endpoint): number {
  const nowMs = terms.now();
  const { places, askAgainMs, lastTurnMs } = endpoint;
  const spacingMs = expectedHoldMs(terms, endpoint, nowMs) / Math.max(1, places);
  // Without any place, none of the requests in flight here frees one: other workers do.
  endpoint.lastTurnMs = Math.max(lastTurnMs, nowMs, places === 0 ? askAgainMs : 0) + spacingMs;
  return Math.max(1, Math.ceil(endpoint.lastTurnMs - nowMs));
}

// The age of the oldest request shows that an endpoint began to hang long before that request ends.
function expectedHoldMs({ slotMs }: LeaseTerms, { inFlight, holdMs }: Endpoint, nowMs: number): number {
  const [oldest] = inFlight;
  return Math.min(slotMs, Math.max(holdMs, nowMs - (oldest?.sinceMs ?? nowMs)));
}
