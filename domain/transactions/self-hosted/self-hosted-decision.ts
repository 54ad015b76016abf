import { compareDecimals } from '../../decimal.ts';
import type { ProofWarning } from '../../verifications/risk.ts';
import type { VerificationFlow } from '../../verifications/state.ts';
import type { WalletProof } from '../../verifications/wallet-proof.ts';
import { DAY_MS } from '../../durations.ts';

/** The tenant's settings for transfers to and from self-hosted wallets. */
export interface SelfHostedRules {
  autoConfirm: boolean;
  /** Above this value a proof is needed in any case; null: no limit. */
  thresholdEur: string | null;
  /** The verification flows that are accepted above the threshold. */
  flowsAbove: readonly VerificationFlow[];
  /** Maximum age of a proof above the threshold; null: no limit. */
  maxProofAgeDays: number | null;
  /** Whether texts that are not bound to their verification count above the threshold. */
  acceptUnbound: boolean;
  /** Whether two people let a transfer without a proof pass: then one person's word or picture is no proof either. */
  byTwo: boolean;
}

export interface SelfHostedTransfer {
  /** Null while the price is unknown. */
  amountEur: string | null;
  /** The customer number of the required owner; null if the transfer has none. */
  customerIdentification: string | null;
}

type ProofNeed = 'VALUE_UNKNOWN' | 'ABOVE_THRESHOLD' | 'NO_AUTOMATIC_CONFIRMATION';
/** ADDRESS_SANCTIONED: the wallet was on a sanctions list when the proof was given. */
type ProofLack =
  | 'NO_PROOF'
  | 'FLOW_NOT_ACCEPTED'
  | 'PROOF_TOO_OLD'
  | 'OTHER_CUSTOMER'
  | 'PROOF_DOUBTED'
  | 'ADDRESS_SANCTIONED';
/** Lacks of a proof that meets all else, so that a person may decide, the gravest first. */
const FOR_A_PERSON: readonly ProofLack[] = ['ADDRESS_SANCTIONED', 'PROOF_DOUBTED'];

export type SelfHostedDecision =
  | { kind: 'CONFIRM'; basis: { kind: 'VERIFICATION'; id: string } | { kind: 'AUTO_SELF_HOSTED' } }
  /** Why a proof is needed, and why none is accepted: the doubts about one that meets all else, else the newest one's lack. */
  | { kind: 'WAIT'; need: ProofNeed; lack: ProofLack };

/**
 * Decides whether a transfer to or from a self-hosted wallet is confirmed now. `proofs` are sorted newest first. Up to
 * the threshold any proof is accepted, or none if `autoConfirm` is set; above it, or while the value is unknown, only
 * a proof that meets `rules`. The proof of a wallet that was on a sanctions list confirms nothing.
 */
export function decideSelfHosted(
  transfer: SelfHostedTransfer,
  proofs: readonly WalletProof[],
  rules: SelfHostedRules,
  now: Date,
): SelfHostedDecision {
  const strictness = strictnessOf(transfer, rules);
  const lacks = proofs.map((proof) =>
    strictness ? lackOf(proof, transfer, rules, now) : lackOfAny(proof, rules),
  );
  const accepted = proofs[lacks.indexOf(null)];
  if (accepted) return { kind: 'CONFIRM', basis: { kind: 'VERIFICATION', id: accepted.verificationId } };
  if (!strictness && rules.autoConfirm) return { kind: 'CONFIRM', basis: { kind: 'AUTO_SELF_HOSTED' } };
  const need = strictness ?? 'NO_AUTOMATIC_CONFIRMATION';
  const doubt = FOR_A_PERSON.find((lack) => lacks.includes(lack));
  return { kind: 'WAIT', need, lack: doubt ?? lacks[0] ?? 'NO_PROOF' };
}

/** Whether a person is to decide on the proof, instead of the owner giving another one. */
export function isForPerson(lack: ProofLack): boolean {
  return FOR_A_PERSON.includes(lack);
}

/** Why only proofs that meet the rules are accepted; null if any proof is. */
function strictnessOf(
  { amountEur }: SelfHostedTransfer,
  { thresholdEur }: SelfHostedRules,
): 'VALUE_UNKNOWN' | 'ABOVE_THRESHOLD' | null {
  if (thresholdEur === null) return null;
  if (amountEur === null) return 'VALUE_UNKNOWN';
  return compareDecimals(amountEur, thresholdEur) > 0 ? 'ABOVE_THRESHOLD' : null;
}

/**
 * Warnings that the evidence of a proof has disappeared, that its text was signed for something else, or that the wallet is an
 * institution's, which pays out for any of its customers.
 */
const DOUBTS: readonly ProofWarning[] = [
  'PROOF_REORGED',
  'REUSE_SOURCE_WITHDRAWN',
  'MESSAGE_REPLAYED',
  'FOREIGN_DOMAIN',
  'ADDRESS_CUSTODIAL',
];

function lackOf(
  proof: WalletProof,
  { customerIdentification }: SelfHostedTransfer,
  rules: SelfHostedRules,
  now: Date,
): ProofLack | null {
  const { flowsAbove, maxProofAgeDays } = rules;
  const flowCounts = proof.flows.length > 0 && proof.flows.every((flow) => flowsAbove.includes(flow));
  if (!flowCounts) return 'FLOW_NOT_ACCEPTED';
  const ageMs = now.getTime() - proof.provenAt.getTime();
  if (maxProofAgeDays !== null && ageMs > maxProofAgeDays * DAY_MS) return 'PROOF_TOO_OLD';
  const isOthers = customerIdentification !== null && proof.customerIdentification !== customerIdentification;
  if (isOthers) return 'OTHER_CUSTOMER';
  return lackOfAny(proof, rules) ?? (isDoubted(proof, rules) ? 'PROOF_DOUBTED' : null);
}

/** Flows whose proof whoever works for the tenant can give, and accept, alone. */
const BY_WORD: readonly VerificationFlow[] = ['SELF_DECLARED', 'VISUAL_PROOF'];

/** Why a proof counts for no transfer, whatever its value. */
function lackOfAny(proof: WalletProof, { byTwo }: SelfHostedRules): ProofLack | null {
  const isByWord = proof.flows.length > 0 && proof.flows.every((flow) => BY_WORD.includes(flow));
  return listedLackOf(proof) ?? (byTwo && isByWord ? 'PROOF_DOUBTED' : null);
}

function listedLackOf({ warnings }: WalletProof): ProofLack | null {
  return warnings.includes('ADDRESS_SANCTIONED') ? 'ADDRESS_SANCTIONED' : null;
}

function isDoubted({ warnings }: WalletProof, { acceptUnbound }: SelfHostedRules): boolean {
  if (warnings.some((warning) => DOUBTS.includes(warning))) return true;
  return !acceptUnbound && warnings.includes('UNBOUND_MESSAGE');
}
