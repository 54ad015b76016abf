import { z } from 'zod';
import type { RuleVerdict } from './schema.ts';

/** A new version that blocks more than this share of its first decisions is probably a mistake. */
export const GUARD = { decisions: 50, percent: 30 } as const;

/** What a version had decided when its guard went off. */
export interface GuardCount {
  blocked: number;
  decisions: number;
}

export const RuleGuard = z
  .strictObject({
    trippedAt: z.iso.datetime(),
    blocked: z.int().describe('BLOCK decisions of the version until then.'),
    decisions: z.int().describe('All of them, at most 50.'),
  })
  .meta({ id: 'RuleGuard' });
export type RuleGuard = z.infer<typeof RuleGuard>;

/**
 * Whether one more BLOCK is one too many: with it over 30 % of the first 50 decisions are, whatever the others will be.
 * `first` are the decisions that the version has made, at most the first 50. Null while they are not too many.
 */
export function countedByGuard(first: readonly RuleVerdict[]): GuardCount | null {
  const counted: RuleVerdict[] = [...first, 'BLOCK'].slice(0, GUARD.decisions) as RuleVerdict[];
  const blocked = counted.filter((decision) => decision === 'BLOCK').length;
  const isTooMuch = blocked * 100 > GUARD.decisions * GUARD.percent;
  return isTooMuch ? { blocked, decisions: counted.length } : null;
}
