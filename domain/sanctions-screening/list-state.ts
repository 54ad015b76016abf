import type { ScreeningSettings } from './settings.ts';
import { HOUR_MS } from '../durations.ts';

/** A list as a search used it. */
export interface UsedList {
  code: string;
  version: number;
  publishedAt: Date | null;
}

/** An active list and the time when it was last confirmed to be the newest. */
export interface ListState extends UsedList {
  checkedAt: Date;
}

export const MISSING_REASONS = ['MISSING', 'TOO_OLD', 'NOT_REQUESTED'] as const;
export interface MissingList {
  code: string;
  reason: (typeof MISSING_REASONS)[number];
}

/** The tenant's required lists that were not searched, with the reason. `requested` undefined means all lists. */
export function missingLists(
  { requiredLists, maxListAgeHours }: ScreeningSettings,
  states: readonly ListState[],
  requested: readonly string[] | undefined,
  now: Date,
): MissingList[] {
  const oldest = now.getTime() - maxListAgeHours * HOUR_MS;
  return requiredLists.flatMap((code): MissingList[] => {
    const state = states.find((list) => list.code === code);
    if (!state) return [{ code, reason: 'MISSING' }];
    if (requested && !requested.includes(code)) return [{ code, reason: 'NOT_REQUESTED' }];
    return state.checkedAt.getTime() < oldest ? [{ code, reason: 'TOO_OLD' }] : [];
  });
}
