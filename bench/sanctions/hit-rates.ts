import { queryOf } from '../../domain/sanctions-screening/subject.ts';
import type { SanctionsIndex } from '../../domain/sanctions/sanctions-index.ts';
import { search } from '../../domain/sanctions/search.ts';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../../domain/sanctions/thresholds.ts';
import type { SearchedName } from './quality-data.ts';
import type { MeasuredShares } from './quality-goals.ts';

interface HitRates extends MeasuredShares {
  perSecond: number;
}

/** Measures how many probes find their entry among the first five matches; for clean names, how many find any entry. */
export function hitRates(index: SanctionsIndex, probes: readonly SearchedName[]): HitRates {
  const started = process.cpuUsage();
  const scores = probes.map(({ name, sourceId, isPerson }) => {
    const matches = search(index, queryOf({ name, type: isPerson ? 'NATURAL' : 'LEGAL' }), { limit: 5 });
    const hit =
      sourceId === undefined ? matches[0] : matches.find(({ entry }) => entry.sourceId === sourceId);
    return hit?.score ?? 0;
  });
  const share = (threshold: number): number =>
    (100 * scores.filter((score) => score >= threshold).length) / scores.length;
  const seconds = cpuMs(started) / 1000;
  return {
    review: share(REVIEW_THRESHOLD),
    match: share(MATCH_THRESHOLD),
    perSecond: probes.length / seconds,
  };
}

/** The CPU time since a call of `process.cpuUsage`, in milliseconds. */
export function cpuMs(since: NodeJS.CpuUsage): number {
  return process.cpuUsage(since).user / 1000;
}
