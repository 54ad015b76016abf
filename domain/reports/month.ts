import { z } from 'zod';
import { MINUTE_MS } from '../durations.ts';
import { invalidField } from '../errors.ts';
import { localMonth, monthAt } from '../tenants/local-month.ts';

/** Number of the latest months that are reported and listed. */
export const REPORTED_MONTHS = 36;

/** Time after the end of a month before it is reported: a request that began in it may still be storing its record. */
const SETTLING_MS = 5 * MINUTE_MS;

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** A calendar month, such as `2026-10`. */
export const Month = z.string().regex(MONTH);

/** A calendar month in a time zone. */
interface ZonedMonth {
  month: string;
  /** An IANA name. */
  timeZone: string;
}

/** The month of a path. Throws validation_failed. */
export function requireMonth(text: string): string {
  if (MONTH.test(text)) return text;
  throw invalidField('/ym', 'invalid_format', 'A month is written as YYYY-MM, such as 2026-10.');
}

/** The month to be reported. Throws validation_failed unless it is one of the latest 36 that are over. */
export function requireReportable(text: string, timeZone: string, now: Date): string {
  const month = requireMonth(text);
  const latest = latestReportable(timeZone, now);
  if (month > latest) {
    throw invalidField('/ym', 'month_not_over', 'A month can be reported five minutes after its end.');
  }
  if (month < monthBefore(latest, REPORTED_MONTHS - 1)) {
    throw invalidField('/ym', 'month_too_old', `Only the latest ${REPORTED_MONTHS} months can be reported.`);
  }
  return month;
}

/** The latest 36 months that are over in a time zone, from the month of `since` on, oldest first. */
export function reportableMonths(timeZone: string, since: Date, now: Date): string[] {
  const latest = latestReportable(timeZone, now);
  const first = monthAt(since, timeZone);
  const months = Array.from({ length: REPORTED_MONTHS }, (_, index) => monthBefore(latest, index));
  return months.filter((month) => month >= first).toReversed();
}

/** The months before this one are no longer listed, in any time zone. */
export function oldestKept(now: Date): string {
  return monthBefore(monthAt(now, 'UTC'), REPORTED_MONTHS + 1);
}

function latestReportable(timeZone: string, now: Date): string {
  return monthBefore(monthAt(new Date(now.getTime() - SETTLING_MS), timeZone), 1);
}

/** The first instant of a month in its time zone, and that of the next month. */
export function boundsOf({ month, timeZone }: ZonedMonth): { from: Date; until: Date } {
  const { from, to } = localMonth(month, timeZone);
  return { from, until: to };
}

/** The month that is `count` months before another one. */
function monthBefore(month: string, count: number): string {
  return textOf(ordinalOf(month) - count);
}

function ordinalOf(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
}

function textOf(ordinal: number): string {
  const year = String(Math.floor(ordinal / 12)).padStart(4, '0');
  return `${year}-${String((ordinal % 12) + 1).padStart(2, '0')}`;
}
