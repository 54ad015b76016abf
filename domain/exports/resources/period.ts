import { z } from 'zod';
import { Timestamp } from '../../list-query.ts';

const PERIOD = {
  from: Timestamp.optional().describe('Only what was made then or later.'),
  until: Timestamp.optional().describe('Only what was made before that.'),
};

/** A choice of some of these values; all of them without it. */
export function someOf<const V extends readonly [string, ...string[]]>(values: V, what: string) {
  return z
    .array(z.enum(values))
    .min(1)
    .max(values.length)
    .refine((given) => new Set(given).size === given.length, 'Each value may be given once.')
    .optional()
    .describe(`Only these ${what}.`);
}

/** The filter of a resource: the period in which its records were made, and what else its list can be narrowed by. */
export function exportFilter<F extends z.ZodRawShape>(id: string, fields: F) {
  return z
    .strictObject({ ...PERIOD, ...fields })
    .refine((filter) => isPeriod(filter as Period), {
      path: ['until'],
      message: '`until` must come after `from`.',
    })
    .meta({ id });
}

interface Period {
  from?: Date;
  until?: Date;
}

function isPeriod({ from, until }: Period): boolean {
  return !from || !until || from < until;
}
