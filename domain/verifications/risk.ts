import type { Flow, VerificationStatus } from './state.ts';

/** Points that each warning adds. The words are stable; what raised one is in the log. */
const WARNING_POINTS = {
  /** The same text was signed for another verification: it proves nothing about now. */
  MESSAGE_REPLAYED: 40,
  /** The text is a sign-in to somebody else's site. */
  FOREIGN_DOMAIN: 40,
  /** The text names neither the address nor anything of this verification. */
  UNBOUND_MESSAGE: 20,
  /** A contract said yes; nothing is known about a key. */
  CONTRACT_SIGNATURE: 30,
  /** The address under test belongs to a custodian. */
  ADDRESS_CUSTODIAL: 40,
  ADDRESS_LABELLED: 60,
  ADDRESS_SANCTIONED: 100,
  /** Near misses of a satoshi test. */
  WRONG_AMOUNT: 0,
  WRONG_ASSET: 0,
  WRONG_SENDER: 20,
  /** Inputs or a sender that the address alone does not explain. */
  MIXED_INPUTS: 20,
  SPENDER_TRANSFER: 20,
  /** The chain dropped the transfer after it had verified. */
  PROOF_REORGED: 40,
  /** The earlier proof that was reused is no proof any more. */
  REUSE_SOURCE_WITHDRAWN: 40,
} as const;
export type ProofWarning = keyof typeof WARNING_POINTS;
export const WARNINGS = Object.keys(WARNING_POINTS) as [ProofWarning, ...ProofWarning[]];

/** Doubt that is left after a proof of this kind: a signature is strong, a screenshot weak, a word weaker. */
const FLOW_POINTS: Record<Flow, number> = {
  SIGNATURE_PROOF: 5,
  SATOSHI_TEST: 10,
  VISUAL_PROOF: 34,
  SELF_DECLARED: 50,
};

/** Which kind an earlier proof was is not told. */
const REUSED_POINTS = FLOW_POINTS.SATOSHI_TEST;

interface ProofFacts {
  status: VerificationStatus;
  flow: Flow | null;
  warnings: readonly ProofWarning[];
  /** Not null where an earlier proof was reused. */
  reuseResult?: object | null;
}

/** 0..100, high is bad. Before there is a proof only warnings count. */
export function riskScoreOf({ status, flow, warnings, reuseResult = null }: ProofFacts): number {
  const proof = flow !== null && status !== 'PENDING' ? FLOW_POINTS[flow] : reuseResult ? REUSED_POINTS : 0;
  const points = warnings.reduce((sum, warning) => sum + WARNING_POINTS[warning], proof);
  return Math.min(100, points);
}

const SEVERITIES = ['low', 'medium', 'high'] as const;
export type RiskSeverity = (typeof SEVERITIES)[number];
export const RISK_SEVERITIES = SEVERITIES;
const MEDIUM_FROM = 34;
const HIGH_FROM = 67;

export function riskSeverityOf(score: number): RiskSeverity {
  if (score >= HIGH_FROM) return 'high';
  return score >= MEDIUM_FROM ? 'medium' : 'low';
}
