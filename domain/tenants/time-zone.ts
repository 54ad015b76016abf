import { z } from 'zod';

const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** A time zone of the IANA database, such as `Europe/Zurich`; the letters of a name may be of any case. */
export const TimeZone = z
  .string()
  .max(64)
  .transform((given, context) => {
    const known = NAME.test(given) ? nameOf(given) : undefined;
    if (known !== undefined) return known;
    context.addIssue({
      code: 'custom',
      message: 'A time zone of the IANA database is expected, such as Europe/Zurich.',
      params: { code: 'invalid_format' },
    });
    return z.NEVER;
  });

/** The name in its usual case; undefined if there is no such zone. The name that was given stays where it has a newer one. */
function nameOf(given: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions();
    return timeZone.toLowerCase() === given.toLowerCase() ? timeZone : given;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
