import { z } from 'zod';

/** A name of the IANA time zone database. Offsets such as `+05:30` are none: they know no daylight saving time. */
export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'a name of the IANA time zone database is expected, such as Europe/Zurich');

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
