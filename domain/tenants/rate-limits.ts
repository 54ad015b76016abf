import { z } from 'zod';

const PerMinute = z.int().min(0).max(1_000_000_000);

/** A tenant's own budgets in requests per minute and API key; 0 is off, null leaves the deployment's setting. */
export const RateLimits = z
  .strictObject({
    reads: PerMinute.nullable(),
    writes: PerMinute.nullable(),
    screening: PerMinute.nullable(),
  })
  .meta({ id: 'RateLimits' });
export type RateLimits = z.infer<typeof RateLimits>;

/** A change: an absent budget stays as it is. */
export const PatchRateLimits = RateLimits.partial();
export type PatchRateLimits = z.infer<typeof PatchRateLimits>;

export const NO_LIMITS_OF_ITS_OWN: RateLimits = { reads: null, writes: null, screening: null };
