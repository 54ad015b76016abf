import { DAY_MS } from '../durations.ts';

/** A calendar month in a time zone: its moments from `from` on and before `to`. */
export interface LocalMonth {
  /** As YYYY-MM. */
  month: string;
  from: Date;
  to: Date;
}

/** The months that may be asked for: four digits of this century, and 01 to 12. */
export const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/;

/** The month YYYY-MM in an IANA time zone. Throws RangeError for an unknown zone. */
export function localMonth(month: string, timeZone: string): LocalMonth {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return {
    month,
    from: firstMomentOf(Date.UTC(year, number - 1, 1), timeZone),
    to: firstMomentOf(Date.UTC(year, number, 1), timeZone),
  };
}

/** The month YYYY-MM that clocks of the time zone show at `now`. Throws RangeError for an unknown zone. */
export function monthAt(now: Date, timeZone: string): string {
  return new Date(now.getTime() + offsetMs(now.getTime(), timeZone)).toISOString().slice(0, 7);
}

/** The day that clocks of the time zone show at `now`: its midnight as if it were UTC. Throws RangeError for an unknown zone. */
export function dayAt(now: Date, timeZone: string): number {
  const local = now.getTime() + offsetMs(now.getTime(), timeZone);
  return Math.floor(local / DAY_MS) * DAY_MS;
}

/**
 * The first moment at which clocks of the zone show a day; `midnight` is that day's midnight as if it were UTC. Where
 * clocks show midnight twice it is the first time, where they jump over it the moment of the jump.
 */
export function firstMomentOf(midnight: number, timeZone: string): Date {
  const offsets = [offsetMs(midnight - DAY_MS, timeZone), offsetMs(midnight + DAY_MS, timeZone)];
  const candidates = offsets.map((offset) => midnight - offset);
  const shown = candidates.filter((moment) => moment + offsetMs(moment, timeZone) === midnight);
  return new Date(shown.length > 0 ? Math.min(...shown) : Math.max(...candidates));
}

/** How far clocks of the zone are ahead of UTC at a moment, in milliseconds. */
function offsetMs(moment: number, timeZone: string): number {
  const shown = clockOf(timeZone).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(shown.find((each) => each.type === type)?.value);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - Math.floor(moment / 1_000) * 1_000;
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}
