import type { FailureCode, VerificationFlow, VerificationStatus } from './state.ts';

/** Points that each warning adds to the risk score. The codes are stable; the log has the cause of each warning. */
const WARNING_POINTS = {
  /** The same text was signed for another verification: it does not prove current control. */
  MESSAGE_REPLAYED: 40,
  /** The text is a sign-in to another site. */
  FOREIGN_DOMAIN: 40,
  /** The text contains neither the id nor a nonce of this verification. */
  UNBOUND_MESSAGE: 20,
  /** A contract confirmed the signature, not a key. */
  CONTRACT_SIGNATURE: 30,
  /** The address under test belongs to a custodian. */
  ADDRESS_CUSTODIAL: 40,
  ADDRESS_LABELLED: 60,
  ADDRESS_SANCTIONED: 100,
  /** Near misses of a satoshi test. */
  WRONG_AMOUNT: 0,
  WRONG_ASSET: 0,
  WRONG_SENDER: 20,
  /** The transfer has other inputs, or another account sent it. */
  MIXED_INPUTS: 20,
  SPENDER_TRANSFER: 20,
  /** A chain reorganisation removed the transfer after it was accepted. */
  PROOF_REORGED: 40,
  /** The reused proof is no longer valid. */
  REUSE_SOURCE_WITHDRAWN: 40,
} as const;
export type ProofWarning = keyof typeof WARNING_POINTS;
export const WARNINGS = Object.keys(WARNING_POINTS) as [ProofWarning, ...ProofWarning[]];

/** Remaining risk after a proof by this flow: a signature is strong, a screenshot weak, a declaration weaker. */
const FLOW_POINTS: Record<VerificationFlow, number> = {
  SIGNATURE_PROOF: 5,
  SATOSHI_TEST: 10,
  VISUAL_PROOF: 34,
  SELF_DECLARED: 50,
};

/** One value for all reused proofs, so that it does not reveal the flow of the earlier proof. */
const REUSED_POINTS = FLOW_POINTS.SATOSHI_TEST;

interface ProofFacts {
  status: VerificationStatus;
  failureCode: FailureCode | null;
  flow: VerificationFlow | null;
  warnings: readonly ProofWarning[];
  /** Not null if an earlier proof was reused. */
  reuseResult?: object | null;
}

/** Least score of a wallet whose owner gave no proof in time: riskier than a declaration. */
const UNPROVEN_POINTS = 60;
/** Least score of a wallet whose proof was wrong, declined or revoked. */
const REFUSED_POINTS = 80;

/** The risk score, 0 to 100, high is risky. While a proof is awaited, only warnings count. */
export function riskScoreOf(facts: ProofFacts): number {
  return Math.max(pointsOf(facts), leastOf(facts));
}

function leastOf({ status, failureCode }: ProofFacts): number {
  if (status !== 'FAILED' && status !== 'DECLINED') return 0;
  return failureCode === 'EXPIRED' ? UNPROVEN_POINTS : REFUSED_POINTS;
}

function pointsOf({ status, flow, warnings, reuseResult = null }: ProofFacts): number {
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
