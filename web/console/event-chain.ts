import type { Schemas } from './api-types.ts';

/**
 * Whether each event names the hash of the one before. Whether the hashes themselves are right only the service can tell, which
 * has the key (`verify-events`).
 */
export function chainState(events: readonly Pick<Schemas['Event'], 'hash' | 'previousHash' | 'sequence'>[]): {
  isWhole: boolean;
  brokenAt: number | null;
} {
  const ordered = events.toSorted((one, other) => one.sequence - other.sequence);
  const broken = ordered.find((event, at) => at > 0 && event.previousHash !== ordered[at - 1]?.hash);
  return { isWhole: broken === undefined, brokenAt: broken?.sequence ?? null };
}
