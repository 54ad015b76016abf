/** The direction of a transfer, seen from the tenant that owns the record. */
export const DIRECTIONS = ['OUTGOING', 'INCOMING'] as const;
export type Direction = (typeof DIRECTIONS)[number];
