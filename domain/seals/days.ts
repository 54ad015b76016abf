import { DAY_MS, HOUR_MS } from '../durations.ts';

/** An event bears the time at which its change began. It is stored by then: no request and no transaction lasts as long. */
const SETTLED_MS = HOUR_MS;

/** The UTC day of a moment, as YYYY-MM-DD. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The first moment of a day. */
export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

export function dayAfter(day: string): string {
  return dayOf(new Date(startOf(day).getTime() + DAY_MS));
}

/** The latest day that is sealed by now: its events are all stored an hour after its end. */
export function lastSealedDay(now: Date): string {
  return dayOf(new Date(now.getTime() - SETTLED_MS - DAY_MS));
}

/** No deployment is older: a seal or a creation of an earlier day was not written by a program of this product. */
export const FIRST_DAY = '2026-01-01';
