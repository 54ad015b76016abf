import { LRUCache } from 'lru-cache';

export type EndpointTurn = { granted: true; release: () => void } | { granted: false; waitMs: number };

/** What shares its places: the endpoints of one tenant at one origin. */
export interface EndpointOrigin {
  tenantId: string;
  /** Scheme, host and port; empty for an address that cannot be read. */
  origin: string;
}

export interface EndpointTurns {
  take(endpoint: EndpointOrigin): Promise<EndpointTurn>;
  /** Stops the renewal of leases. */
  close(): void;
}

/** The part of the places at one endpoint that this worker asks for. */
export interface PlacesWanted extends EndpointOrigin {
  /** Requests at the same time that the worker would make. */
  wanted: number;
  inFlight: number;
  maxPlaces: number;
  leaseMs: number;
}

interface EndpointTurnsOptions {
  /** Leases places of an endpoint for this worker and returns how many it has now. */
  leasePlaces: (request: PlacesWanted) => Promise<number>;
  /** Requests to one endpoint at the same time, of all workers together. */
  maxInFlight?: number;
  /** Maximum time in milliseconds for which a request holds its slot. */
  slotMs?: number;
  /** Assumed hold time in milliseconds until the first request of an endpoint has ended. */
  firstGuessMs?: number;
  /** Milliseconds after which the places of a worker that died are free. */
  leaseMs?: number;
  /** A clock in milliseconds that is never set back. */
  now?: () => number;
}

interface Endpoint extends EndpointOrigin {
  /** Start time of each request in flight, oldest first. */
  inFlight: Set<{ sinceMs: number }>;
  /** Moving average of the time for which requests held their slot. */
  holdMs: number;
  /** The latest turn that was given to a refused caller. */
  lastTurnMs: number;
  /** The places that this worker has leased. */
  places: number;
  /** A request that starts later could outlive the lease. */
  startUntilMs: number;
  /** When places may be asked for again after fewer were free than wanted. */
  askAgainMs: number;
  renewMs: number;
  /** Callers that wait for a lease. */
  waiting: number;
  leasing: Promise<void> | undefined;
  /** Most requests in flight at once since the last tick. */
  peak: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Maximum endpoints in memory: far more than can have a request in flight at once, so that only idle ones are
 * dropped.
 */
const MAX_ENDPOINTS = 10_000;
const LEASE_MS = 20_000;
/** How often a lease is renewed while its endpoint is busy: another worker waits that long for its share at most. */
const RENEW_MS = 5_000;
/** How often a busy endpoint is looked at, and how long a worker waits before it asks again for places. */
const TICK_MS = 1_000;

/**
 * Shares the worker fairly between endpoints. A caller that finds an endpoint busy gets a time to come back, each
 * later than the previous one by the time in which the endpoint frees a slot: deliveries to a hanging endpoint come
 * back one after the other, while those to a quick one lose milliseconds.
 *
 * Workers divide the places of an endpoint by leases. A worker leases as many as it needs when it needs them, renews
 * them while it uses them, and gives back all but one when it has made no request for a second. That one lapses by itself.
 */
export function createEndpointTurns({
  leasePlaces,
  maxInFlight = 8,
  slotMs = 10_000,
  firstGuessMs = slotMs,
  leaseMs = LEASE_MS,
  now = () => performance.now(),
}: EndpointTurnsOptions): EndpointTurns {
  const endpoints = new LRUCache<string, Endpoint>({ max: MAX_ENDPOINTS });

  async function take(origin: EndpointOrigin): Promise<EndpointTurn> {
    const endpoint = endpointOf(origin);
    endpoint.waiting += 1;
    try {
      while (!mayStart(endpoint)) {
        if (!mayLease(endpoint)) return { granted: false, waitMs: reserve(endpoint) };
        await lease(endpoint);
      }
    } finally {
      endpoint.waiting -= 1;
    }
    return { granted: true, release: start(endpoint) };
  }

  function endpointOf({ tenantId, origin }: EndpointOrigin): Endpoint {
    const key = `${tenantId} ${origin}`;
    const endpoint = endpoints.get(key) ?? newEndpoint({ tenantId, origin }, firstGuessMs);
    endpoints.set(key, endpoint);
    return endpoint;
  }

  function mayStart({ inFlight, places, startUntilMs }: Endpoint): boolean {
    return inFlight.size < places && now() < startUntilMs;
  }

  function mayLease({ inFlight, askAgainMs }: Endpoint): boolean {
    return inFlight.size < maxInFlight && now() >= askAgainMs;
  }

  function lease(endpoint: Endpoint): Promise<void> {
    endpoint.leasing ??= askForPlaces(endpoint).finally(() => (endpoint.leasing = undefined));
    return endpoint.leasing;
  }

  async function askForPlaces(endpoint: Endpoint): Promise<void> {
    const { inFlight, waiting, peak } = endpoint;
    // The new lease may have fewer places: until it is known, and if it never is, only those in use are counted on.
    endpoint.places = inFlight.size;
    const wanted = Math.min(maxInFlight, Math.max(1, inFlight.size + waiting, 2 * inFlight.size, peak));
    const askedMs = now();
    const { tenantId, origin } = endpoint;
    const request = { tenantId, origin, wanted, inFlight: inFlight.size, maxPlaces: maxInFlight, leaseMs };
    endpoint.places = await leasePlaces(request);
    endpoint.startUntilMs = askedMs + leaseMs - slotMs;
    endpoint.renewMs = askedMs + RENEW_MS;
    endpoint.askAgainMs = endpoint.places < wanted ? now() + TICK_MS : 0;
  }

  function start(endpoint: Endpoint): () => void {
    const request = { sinceMs: now() };
    endpoint.inFlight.add(request);
    endpoint.peak = Math.max(endpoint.peak, endpoint.inFlight.size);
    endpoint.timer ??= setInterval(() => tick(endpoint), TICK_MS).unref();
    return () => release(endpoint, request);
  }

  function tick(endpoint: Endpoint): void {
    const isQuiet = endpoint.peak === 0;
    if (isQuiet) stopTicking(endpoint);
    if (isQuiet ? endpoint.places > 1 : now() >= endpoint.renewMs) {
      // After a failure there are no places to count on: the next caller asks again, and gets the error.
      lease(endpoint).catch(() => undefined);
    }
    endpoint.peak = endpoint.inFlight.size;
  }

  function reserve(endpoint: Endpoint): number {
    const nowMs = now();
    const { places, askAgainMs, lastTurnMs } = endpoint;
    const spacingMs = expectedHoldMs(endpoint, nowMs) / Math.max(1, places);
    // Without any place, none of the requests in flight here frees one: other workers do.
    endpoint.lastTurnMs = Math.max(lastTurnMs, nowMs, places === 0 ? askAgainMs : 0) + spacingMs;
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

  function close(): void {
    for (const endpoint of endpoints.values()) stopTicking(endpoint);
  }

  return { take, close };
}

function newEndpoint(origin: EndpointOrigin, holdMs: number): Endpoint {
  return {
    ...origin,
    inFlight: new Set(),
    holdMs,
    lastTurnMs: 0,
    places: 0,
    startUntilMs: 0,
    askAgainMs: 0,
    renewMs: 0,
    waiting: 0,
    leasing: undefined,
    peak: 0,
    timer: undefined,
  };
}

function stopTicking(endpoint: Endpoint): void {
  clearInterval(endpoint.timer);
  endpoint.timer = undefined;
}
