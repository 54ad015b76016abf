import { z } from 'zod';

/** The month of a path. It is checked by `requireMonth`, because a text that is no month is 400, not 404. */
export const MonthParams = z.strictObject({ ym: z.string().max(20) });
