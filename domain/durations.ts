export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The time `ms` milliseconds after `start`. */
export function addMs(start: Date, ms: number): Date {
  return new Date(start.getTime() + ms);
}

/** The later of two times. */
export function latest(a: Date, b: Date): Date {
  return a < b ? b : a;
}

/** The earlier of two times. */
export function earliest(a: Date, b: Date): Date {
  return a < b ? a : b;
}
