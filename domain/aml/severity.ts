export const SEVERITIES = ['low', 'medium', 'high'] as const;
export type RiskLevel = (typeof SEVERITIES)[number];

const MEDIUM_FROM = 34;
const HIGH_FROM = 67;

/** The severity of a risk score (0 to 100, high is risky). An unknown score has none: unknown is never low. */
export function severityOf(riskScore: number): RiskLevel;
export function severityOf(riskScore: number | null): RiskLevel | null;
export function severityOf(riskScore: number | null): RiskLevel | null {
  if (riskScore === null) return null;
  if (riskScore >= HIGH_FROM) return 'high';
  return riskScore >= MEDIUM_FROM ? 'medium' : 'low';
}
