import { z } from 'zod';
import type { RuleVerdict } from './schema.ts';

/** A new version that blocks more than this share of its first decisions is probably wrong. */
export const GUARD = { decisions: 50, percent: 30 } as const;

/** The decisions of a version at the time when its guard tripped. */
export interface GuardCount {
  blocked: number;
  decisions: number;
}

export const RuleGuard = z
  .strictObject({
    trippedAt: z.iso.datetime(),
    blocked: z.int().describe('BLOCK decisions of the version until then.'),
    decisions: z.int().describe('All decisions of the version until then, at most 50.'),
  })
  .meta({ id: 'RuleGuard' });
export type RuleGuard = z.infer<typeof RuleGuard>;

/**
 * The count with which one more BLOCK trips the guard: over 30 % of the first 50 decisions are then BLOCK, whatever the
 * rest will be. `first` are the version's decisions so far, at most 50. Null if the guard does not trip.
 */
export function countedByGuard(first: readonly RuleVerdict[]): GuardCount | null {
  const counted: RuleVerdict[] = [...first, 'BLOCK'].slice(0, GUARD.decisions) as RuleVerdict[];
  const blocked = counted.filter((decision) => decision === 'BLOCK').length;
  const isTooMuch = blocked * 100 > GUARD.decisions * GUARD.percent;
  return isTooMuch ? { blocked, decisions: counted.length } : null;
}
