const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** In the time zone of the browser. */
export function dateTime(time: string): string {
  return DATE_TIME.format(new Date(time));
}

export function date(time: string): string {
  return DATE.format(new Date(time));
}

/** How long ago or from now, in its largest unit: `3 h`. */
function span(ms: number): string {
  const size = Math.abs(ms);
  if (size < MINUTE) return '< 1 min';
  if (size < HOUR) return `${Math.floor(size / MINUTE)} min`;
  if (size < 2 * DAY) return `${Math.floor(size / HOUR)} h`;
  return `${Math.floor(size / DAY)} days`;
}

export function age(time: string): string {
  return span(Date.now() - Date.parse(time));
}

/** How urgent a deadline is: within a day it is close. */
export function urgency(deadline: string): 'over' | 'close' | 'far' {
  const left = Date.parse(deadline) - Date.now();
  if (left <= 0) return 'over';
  return left < DAY ? 'close' : 'far';
}

export function timeLeft(deadline: string): string {
  const left = Date.parse(deadline) - Date.now();
  return left <= 0 ? `${span(left)} over` : `in ${span(left)}`;
}
