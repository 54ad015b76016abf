/** Transfers that are nearly the one that a satoshi test expects. Each becomes a warning, and the test continues. */
export const NEAR_MISSES = ['WRONG_AMOUNT', 'WRONG_SENDER', 'WRONG_ASSET'] as const;
export type NearMiss = (typeof NEAR_MISSES)[number];
