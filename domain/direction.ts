/** Which way a transfer goes, seen from the tenant whose record it is. */
export const DIRECTIONS = ['OUTGOING', 'INCOMING'] as const;
export type Direction = (typeof DIRECTIONS)[number];
