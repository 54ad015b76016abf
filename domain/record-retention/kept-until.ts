import { addMs, DAY_MS, earliest, latest } from '../durations.ts';
import { isFinal, type Status } from '../transactions/state.ts';

/** The law keeps data of transfers for five years. */
const YEARS = 5;

/** No record that was made after this moment is past its retention, whatever its tenant has set. */
export function latestDue(now: Date): Date {
  return yearsLater(now, -YEARS);
}

/** The facts of a stored transaction that say how long it is kept. */
export interface KeptFacts {
  status: Status;
  /** When its status last changed. */
  statusSince: Date;
  updatedAt: Date;
}

/**
 * Until when a transaction is kept: the later of five calendar years and the tenant's `retentionDays`, from its final status on,
 * or from its last change where it has none. What happens to a decided record afterwards does not extend that.
 */
export function keptUntil({ status, statusSince, updatedAt }: KeptFacts, retentionDays: number): Date {
  return keptFrom(isFinal(status) ? statusSince : updatedAt, retentionDays);
}

/** The later of five calendar years and the tenant's `retentionDays` after this moment. */
export function keptFrom(from: Date, retentionDays: number): Date {
  return latest(yearsLater(from, YEARS), addMs(from, retentionDays * DAY_MS));
}

/** Records whose time began after this moment are still kept at `day`. */
export function keptAfter(day: Date, retentionDays: number): Date {
  return earliest(yearsLater(day, -YEARS), addMs(day, -retentionDays * DAY_MS));
}

/** The same day and time some years later, or earlier; 29 February becomes 1 March where there is none. */
function yearsLater(time: Date, years: number): Date {
  const later = new Date(time);
  later.setUTCFullYear(time.getUTCFullYear() + years);
  return later;
}
