/** What shares its places: the endpoints of one tenant at one origin. */
export interface EndpointOrigin {
  tenantId: string;
  /** Scheme, host and port; empty for an address that cannot be read. */
  origin: string;
}

/** The part of the places at one endpoint that this worker asks for. */
export interface PlacesWanted extends EndpointOrigin {
  /** Requests at the same time that the worker would make. */
  wanted: number;
  inFlight: number;
  maxPlaces: number;
  leaseMs: number;
}

export interface LeaseTerms {
  /** Leases places of an endpoint for this worker and returns how many it has now. */
  leasePlaces: (request: PlacesWanted) => Promise<number>;
  /** Requests to one endpoint at the same time, of all workers together. */
  maxInFlight: number;
  /** Maximum time in milliseconds for which a request holds its slot. */
  slotMs: number;
  /** Milliseconds after which the places of a worker that died are free. */
  leaseMs: number;
  /** A clock in milliseconds that is never set back. */
  now: () => number;
}

/** The places of this worker at one endpoint, and the requests that use them. */
export interface LeasedEndpoint extends EndpointOrigin {
  /** Start time of each request in flight, oldest first. */
  inFlight: Set<{ sinceMs: number }>;
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

/** How often a lease is renewed while its endpoint is busy: another worker waits that long for its share at most. */
const RENEW_MS = 5_000;
/** How often a busy endpoint is looked at, and how long a worker waits before it asks again for places. */
const TICK_MS = 1_000;

/** An endpoint at which this worker has no place yet. */
export function newLease(origin: EndpointOrigin): LeasedEndpoint {
  return {
    ...origin,
    inFlight: new Set(),
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

/** Calls `start` as soon as this worker has a free place; leases places when it has too few. Undefined when there is none. */
export async function startInPlace<T>(
  terms: LeaseTerms,
  endpoint: LeasedEndpoint,
  start: () => T,
): Promise<T | undefined> {
  endpoint.waiting += 1;
  try {
    while (!hasPlace(terms, endpoint)) {
      if (!mayLease(terms, endpoint)) return undefined;
      await lease(terms, endpoint);
    }
    return start();
  } finally {
    endpoint.waiting -= 1;
  }
}

function hasPlace({ now }: LeaseTerms, { inFlight, places, startUntilMs }: LeasedEndpoint): boolean {
  return inFlight.size < places && now() < startUntilMs;
}

function mayLease({ maxInFlight, now }: LeaseTerms, { inFlight, askAgainMs }: LeasedEndpoint): boolean {
  return inFlight.size < maxInFlight && now() >= askAgainMs;
}

function lease(terms: LeaseTerms, endpoint: LeasedEndpoint): Promise<void> {
  endpoint.leasing ??= askForPlaces(terms, endpoint).finally(() => (endpoint.leasing = undefined));
  return endpoint.leasing;
}

async function askForPlaces(terms: LeaseTerms, endpoint: LeasedEndpoint): Promise<void> {
  const { tenantId, origin, waiting, peak } = endpoint;
  const { maxInFlight: maxPlaces, leaseMs, now } = terms;
  const inFlight = endpoint.inFlight.size;
  // The new lease may have fewer places: until it is known, and if it never is, only those in use are counted on.
  endpoint.places = inFlight;
  const wanted = Math.min(maxPlaces, Math.max(1, inFlight + waiting, 2 * inFlight, peak));
  const askedMs = now();
  endpoint.places = await terms.leasePlaces({ tenantId, origin, wanted, inFlight, maxPlaces, leaseMs });
  endpoint.startUntilMs = askedMs + leaseMs - terms.slotMs;
  endpoint.renewMs = askedMs + RENEW_MS;
  endpoint.askAgainMs = endpoint.places < wanted ? now() + TICK_MS : 0;
}

/** Notes that a request has started: the lease is renewed until the endpoint is quiet. */
export function keepLease(terms: LeaseTerms, endpoint: LeasedEndpoint): void {
  endpoint.peak = Math.max(endpoint.peak, endpoint.inFlight.size);
  endpoint.timer ??= setInterval(() => tick(terms, endpoint), TICK_MS).unref();
}

function tick(terms: LeaseTerms, endpoint: LeasedEndpoint): void {
  const isQuiet = endpoint.peak === 0;
  if (isQuiet) stopRenewal(endpoint);
  if (isQuiet ? endpoint.places > 1 : terms.now() >= endpoint.renewMs) {
    // After a failure there are no places to count on: the next caller asks again, and gets the error.
    lease(terms, endpoint).catch(() => undefined);
  }
  endpoint.peak = endpoint.inFlight.size;
}

/** Lets the lease end by itself. */
export function stopRenewal(endpoint: LeasedEndpoint): void {
  clearInterval(endpoint.timer);
  endpoint.timer = undefined;
}
