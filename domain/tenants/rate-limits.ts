import { z } from 'zod';

const PerMinute = z.int().min(0).max(1_000_000_000);

/** A tenant's own limits in requests per minute and API key; 0 means no limit, null the deployment's setting. */
export const RateLimits = z
  .strictObject({
    reads: PerMinute.nullable(),
    writes: PerMinute.nullable(),
    screening: PerMinute.nullable(),
  })
  .meta({ id: 'RateLimits' });
export type RateLimits = z.infer<typeof RateLimits>;

/** A change of rate limits: an absent limit stays. */
export const PatchRateLimits = RateLimits.partial().meta({ id: 'PatchRateLimits' });
export type PatchRateLimits = z.infer<typeof PatchRateLimits>;

export const NO_LIMITS_OF_ITS_OWN: RateLimits = { reads: null, writes: null, screening: null };
