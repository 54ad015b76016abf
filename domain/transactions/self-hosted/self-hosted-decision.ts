import { compareDecimals } from '../../decimal.ts';
import type { ProofWarning } from '../../verifications/risk.ts';
import type { Flow } from '../../verifications/state.ts';
import type { WalletProof } from '../../verifications/wallet-proof.ts';
import { DAY_MS } from '../../durations.ts';

/** What the tenant has chosen. */
export interface SelfHostedRules {
  autoConfirm: boolean;
  /** Above this value a proof is needed whatever else is set; null: no limit. */
  thresholdEur: string | null;
  /** The ways of proving that count above the threshold. */
  flowsAbove: readonly Flow[];
  /** How old a proof may be above the threshold; null: no limit. */
  maxProofAgeDays: number | null;
}

export interface SelfHostedTransfer {
  /** Null while unknown. */
  amountEur: string | null;
  /** The number of the customer whose wallet it has to be, where the transfer says it. */
  customerIdentification: string | null;
}

type ProofNeed = 'VALUE_UNKNOWN' | 'ABOVE_THRESHOLD' | 'NO_AUTOMATIC_CONFIRMATION';
type ProofLack = 'NO_PROOF' | 'FLOW_NOT_ACCEPTED' | 'PROOF_TOO_OLD' | 'OTHER_CUSTOMER' | 'PROOF_DOUBTED';

export type SelfHostedDecision =
  | { kind: 'CONFIRM'; basis: { kind: 'VERIFICATION'; id: string } | { kind: 'AUTO_SELF_HOSTED' } }
  /** Why a proof is needed, and what is wrong with the newest one. */
  | { kind: 'WAIT'; need: ProofNeed; lack: ProofLack };

/**
 * Whether a transfer to or from a self-hosted wallet may be confirmed now. `proofs` are the newest first. Up to the
 * threshold any proof does, and the tenant's setting without one; above it, or while the value is unknown, only a proof
 * that is good enough.
 */
export function decideSelfHosted(
  transfer: SelfHostedTransfer,
  proofs: readonly WalletProof[],
  rules: SelfHostedRules,
  now: Date,
): SelfHostedDecision {
  const strictness = strictnessOf(transfer, rules);
  const lacks = proofs.map((proof) => (strictness ? lackOf(proof, transfer, rules, now) : null));
  const accepted = proofs[lacks.indexOf(null)];
  if (accepted) return { kind: 'CONFIRM', basis: { kind: 'VERIFICATION', id: accepted.verificationId } };
  if (!strictness && rules.autoConfirm) return { kind: 'CONFIRM', basis: { kind: 'AUTO_SELF_HOSTED' } };
  return { kind: 'WAIT', need: strictness ?? 'NO_AUTOMATIC_CONFIRMATION', lack: lacks[0] ?? 'NO_PROOF' };
}

/** Why only good proofs count; null when any does. */
function strictnessOf(
  { amountEur }: SelfHostedTransfer,
  { thresholdEur }: SelfHostedRules,
): 'VALUE_UNKNOWN' | 'ABOVE_THRESHOLD' | null {
  if (thresholdEur === null) return null;
  if (amountEur === null) return 'VALUE_UNKNOWN';
  return compareDecimals(amountEur, thresholdEur) > 0 ? 'ABOVE_THRESHOLD' : null;
}

/** What it was proven by is not there any more. */
const DOUBTS: readonly ProofWarning[] = ['PROOF_REORGED', 'REUSE_SOURCE_WITHDRAWN'];

function lackOf(
  proof: WalletProof,
  { customerIdentification }: SelfHostedTransfer,
  { flowsAbove, maxProofAgeDays }: SelfHostedRules,
  now: Date,
): ProofLack | null {
  const flowCounts = proof.flows.length > 0 && proof.flows.every((flow) => flowsAbove.includes(flow));
  if (!flowCounts) return 'FLOW_NOT_ACCEPTED';
  if (proof.warnings.some((warning) => DOUBTS.includes(warning))) return 'PROOF_DOUBTED';
  const ageMs = now.getTime() - proof.provenAt.getTime();
  if (maxProofAgeDays !== null && ageMs > maxProofAgeDays * DAY_MS) return 'PROOF_TOO_OLD';
  const isOthers = customerIdentification !== null && proof.customerIdentification !== customerIdentification;
  return isOthers ? 'OTHER_CUSTOMER' : null;
}
