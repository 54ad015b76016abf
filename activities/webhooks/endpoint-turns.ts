import { LRUCache } from 'lru-cache';

export type EndpointTurn = { granted: true; release: () => void } | { granted: false; waitMs: number };

export interface EndpointTurns {
  take(endpointKey: string): EndpointTurn;
}

interface EndpointTurnsOptions {
  /** Requests to one endpoint at the same time. */
  maxInFlight?: number;
  /** The longest that a request holds its place, milliseconds. */
  slotMs?: number;
  /** What a request is taken to hold its place for until the first one of the endpoint has ended. */
  firstGuessMs?: number;
  now?: () => number;
}

interface Endpoint {
  /** When each request in flight began, the oldest first. */
  inFlight: Set<{ sinceMs: number }>;
  /** Moving average of how long requests held their place. */
  holdMs: number;
  /** The latest turn given to a refused caller. */
  lastTurnMs: number;
}

/** Endpoints remembered: far more than can have a request in flight at once, so that only idle ones are forgotten. */
const MAX_ENDPOINTS = 10_000;

/**
 * Fairness between the endpoints that one worker calls. A caller who finds an endpoint busy is told when to come
 * back, each later than the one before by the time in which the endpoint frees a place: the deliveries that wait for
 * a hanging endpoint come back one after the other, while those of a quick one lose milliseconds.
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
