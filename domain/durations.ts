export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The moment that is `ms` milliseconds after `start`. */
export function addMs(start: Date, ms: number): Date {
  return new Date(start.getTime() + ms);
}

/** The later one of two moments. */
export function latest(a: Date, b: Date): Date {
  return a < b ? b : a;
}

/** The earlier one of two moments. */
export function earliest(a: Date, b: Date): Date {
  return a < b ? a : b;
}
