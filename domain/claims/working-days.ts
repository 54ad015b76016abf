import { DAY_MS } from '../durations.ts';
import { dayAt, firstMomentOf } from '../tenants/local-month.ts';

/**
 * The end of the last of `days` working days after the day of `from`, in a time zone: 23:59:59.999 there. Working days are
 * those of the TARGET calendar of the European Central Bank.
 */
export function endOfWorkingDays(from: Date, days: number, timeZone: string): Date {
  let midnight = dayAt(from, timeZone);
  for (let left = days; left > 0;) {
    midnight += DAY_MS;
    if (isWorkingDay(midnight)) left -= 1;
  }
  return new Date(firstMomentOf(midnight + DAY_MS, timeZone).getTime() - 1);
}

/** Whether TARGET is open on a day, which is given by its midnight as if it were UTC. */
export function isWorkingDay(midnight: number): boolean {
  const day = new Date(midnight);
  const isWeekend = day.getUTCDay() === 0 || day.getUTCDay() === 6;
  return !isWeekend && !isHoliday(day);
}

/** Closing days as MM-DD: New Year, Labour Day, the two days of Christmas. */
const FIXED = new Set(['01-01', '05-01', '12-25', '12-26']);

/** Good Friday and Easter Monday, in days after Easter Sunday. */
const MOVABLE = new Set([-2, 1]);

function isHoliday(day: Date): boolean {
  if (FIXED.has(day.toISOString().slice(5, 10))) return true;
  return MOVABLE.has((day.getTime() - easterSunday(day.getUTCFullYear())) / DAY_MS);
}

/** Midnight of Easter Sunday in the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
function easterSunday(year: number): number {
  const moonYear = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const fullMoon = (19 * moonYear + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - fullMoon - (yearOfCentury % 4)) % 7;
  const late = Math.floor((moonYear + 11 * fullMoon + 22 * weekday) / 451);
  const sum = fullMoon + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1);
}
