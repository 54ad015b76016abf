import type { AmlFinding } from './finding.ts';

/** The vendors' scales, with the conversion of a score to ours: 0 to 100, high is risky. */
const SCALES = {
  '0 to 1, high is risky': (score: number) => score * 100,
  '0 to 100, high is risky': (score: number) => score,
  '0 to 100, high is safe': (score: number) => 100 - score,
};

/** A vendor's score and the risk score converted from it. A vendor sends null for an unknown score. */
export function scoreOf(
  value: number | null,
  scale: keyof typeof SCALES,
): Pick<AmlFinding, 'reason' | 'riskScore' | 'originalScore'> {
  if (value === null) return { reason: 'NO_SCORE', riskScore: null, originalScore: null };
  return {
    reason: null,
    // 0.57 must give 57, not 56.99999999999999: a score must not miss a threshold by a rounding error.
    riskScore: Number(SCALES[scale](value).toFixed(9)),
    originalScore: { value, scale },
  };
}
