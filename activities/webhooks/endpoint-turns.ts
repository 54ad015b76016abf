import { LRUCache } from 'lru-cache';

export type EndpointTurn = { granted: true; release: () => void } | { granted: false; waitMs: number };

export interface EndpointTurns {
  take(endpointKey: string): EndpointTurn;
}

interface EndpointTurnsOptions {
  /** Requests to one endpoint at the same time. */
  maxInFlight?: number;
  /** Maximum time in milliseconds for which a request holds its slot. */
  slotMs?: number;
  /** Assumed hold time in milliseconds until the first request of an endpoint has ended. */
  firstGuessMs?: number;
  now?: () => number;
}

interface Endpoint {
  /** Start time of each request in flight, oldest first. */
  inFlight: Set<{ sinceMs: number }>;
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

/**
 * Shares the worker fairly between endpoints. A caller that finds an endpoint busy gets a time to come back, each
 * later than the previous one by the time in which the endpoint frees a slot: deliveries to a hanging endpoint come
 * back one after the other, while those to a quick one lose milliseconds.
 */
export function createEndpointTurns({
  maxInFlight = 8,
  slotMs = 10_000,
  firstGuessMs = slotMs,
  now = Date.now,
}: EndpointTurnsOptions = {}): EndpointTurns {
  const endpoints = new LRUCache<string, Endpoint>({ max: MAX_ENDPOINTS });

  function take(endpointKey: string): EndpointTurn {
    const endpoint = endpoints.get(endpointKey) ?? newEndpoint();
    endpoints.set(endpointKey, endpoint);
    if (endpoint.inFlight.size >= maxInFlight) return { granted: false, waitMs: reserve(endpoint) };
    const request = { sinceMs: now() };
    endpoint.inFlight.add(request);
    return { granted: true, release: () => release(endpoint, request) };
  }

  function newEndpoint(): Endpoint {
    return { inFlight: new Set(), holdMs: firstGuessMs, lastTurnMs: 0 };
  }

  function reserve(endpoint: Endpoint): number {
    const nowMs = now();
    const spacingMs = expectedHoldMs(endpoint, nowMs) / maxInFlight;
    endpoint.lastTurnMs = Math.max(endpoint.lastTurnMs, nowMs) + spacingMs;
    return Math.max(1, Math.ceil(endpoint.lastTurnMs - nowMs));
  }

  // The age of the oldest request shows that an endpoint began to hang long before that request ends.
  function expectedHoldMs(endpoint: Endpoint, nowMs: number): number {
    const [oldest] = endpoint.inFlight;
    return Math.min(slotMs, Math.max(endpoint.holdMs, nowMs - (oldest?.sinceMs ?? nowMs)));
  }

  function release(endpoint: Endpoint, request: { sinceMs: number }): void {
    if (!endpoint.inFlight.delete(request)) return;
    endpoint.holdMs += (now() - request.sinceMs - endpoint.holdMs) / 4;
    if (endpoint.inFlight.size === 0) endpoint.lastTurnMs = 0;
  }

  return { take };
}
