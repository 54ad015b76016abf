import type { AmlFinding } from './finding.ts';

/** The scales of the vendors, in words, and what a score on them is on ours: 0 to 100, high is risky. */
const SCALES = {
  '0 to 1, high is risky': (score: number) => score * 100,
  '0 to 100, high is risky': (score: number) => score,
  '0 to 100, high is safe': (score: number) => 100 - score,
};

/** A vendor's score as it gave it, and as a risk score; null is the vendor's own word for not known. */
export function scoreOf(
  value: number | null,
  scale: keyof typeof SCALES,
): Pick<AmlFinding, 'reason' | 'riskScore' | 'originalScore'> {
  if (value === null) return { reason: 'NO_SCORE', riskScore: null, originalScore: null };
  return {
    reason: null,
    // 0.57 is 57, not the 56.99999999999999 of binary fractions: a score must not miss a threshold by them.
    riskScore: Number(SCALES[scale](value).toFixed(9)),
    originalScore: { value, scale },
  };
}
