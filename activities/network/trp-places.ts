import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/** A call to another VASP: what for, for whom, and where to. */
interface TrpCall {
  what: 'INQUIRY' | 'NOTICE';
  tenantId: string;
  host: string;
}

/** Makes a call if its tenant has a place for it. Fails, to be tried again, if not. */
export type TrpPlaces = <T>(call: TrpCall, make: () => Promise<T>) => Promise<T>;

/** The calls of a tenant at once from a worker, inquiries and notices apart; the others of the worker's are for other tenants. */
const PLACES_OF_TENANT = 32;
/** Those of them to one host, so that one which hangs leaves places for the tenant's other VASPs. */
const PLACES_AT_HOST = 16;
/** How long a call is thought to take before one has ended, and how much each one that ends says of the next. */
const FIRST_GUESS_MS = 1_000;
const WEIGHT_OF_LAST = 0.2;
/** An inquiry is given up after three minutes: a place later than this would stand empty for it. */
const LONGEST_WAIT_MS = 150_000;

/** Places that are shared by calls of one kind. */
interface Share {
  key: string;
  places: number;
  calls: number;
  /** How long a call takes. */
  callMs: number;
  /** When the last call that was refused comes again. */
  lastTurnMs: number;
}

/**
 * Divides a worker's places for calls by TRP: VASPs of one tenant that hang, however many messages it sends them, keep no call of
 * another tenant waiting. A call without a place gives back at once the place of its activity. Those that are refused come again one
 * after the other, as places become free.
 */
export function trpPlaces(now: () => number = Date.now): TrpPlaces {
  const shares = new Map<string, Share>();
  const shareOf = (key: string, places: number): Share =>
    shares.get(key) ?? { key, places, calls: 0, callMs: FIRST_GUESS_MS, lastTurnMs: 0 };

  function begin(share: Share): void {
    share.calls += 1;
    shares.set(share.key, share);
  }

  function end(share: Share, tookMs: number): void {
    share.calls -= 1;
    share.callMs += WEIGHT_OF_LAST * (tookMs - share.callMs);
    if (share.calls === 0) shares.delete(share.key);
  }

  return async ({ what, tenantId, host }, make) => {
    const own = `${what} ${tenantId}`;
    const needed = [shareOf(own, PLACES_OF_TENANT), shareOf(`${own} ${host}`, PLACES_AT_HOST)];
    const full = needed.filter(({ calls, places }) => calls >= places);
    if (full.length > 0) throw noPlace(Math.max(...full.map((share) => nextTurnMs(share, now()) - now())));
    const begunMs = now();
    needed.forEach(begin);
    try {
      return await make();
    } finally {
      for (const share of needed) end(share, now() - begunMs);
    }
  };
}

/** The time at which a place is for the call that is refused now; any time soon where the places until then are for others. */
function nextTurnMs(share: Share, nowMs: number): number {
  const spacingMs = share.callMs / share.places;
  const turnMs = Math.max(share.lastTurnMs, nowMs + share.callMs / 2) + spacingMs;
  if (turnMs > nowMs + LONGEST_WAIT_MS) return nowMs + Math.random() * LONGEST_WAIT_MS;
  share.lastTurnMs = turnMs;
  return turnMs;
}

function noPlace(waitMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'As many calls to VASPs of this tenant as may be under way at once are; this one has not begun.',
    type: 'NO_PLACE',
    nextRetryDelay: Math.ceil(waitMs),
    category: ApplicationFailureCategory.BENIGN,
  });
}
