import { SYSTEM, type Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import { MATCH_LEVELS, type MatchLevel, type VerificationRecord } from './record.ts';
import type { ProofWarning } from './risk.ts';
import type { VerificationFlow } from './state.ts';
import { DAY_MS } from '../durations.ts';

/** Flows that other tenants may rely on. Declarations and visual proofs are judged only by the tenant that got them. */
export const SOURCE_FLOWS: readonly VerificationFlow[] = ['SIGNATURE_PROOF', 'SATOSHI_TEST'];

/**
 * Warnings that exclude a proof from reuse: it may not come from the owner's own key, it is no longer valid, or the wallet
 * is on a sanctions list.
 */
export const UNFIT_WARNINGS: readonly ProofWarning[] = [
  'ADDRESS_CUSTODIAL',
  'ADDRESS_SANCTIONED',
  'CONTRACT_SIGNATURE',
  'FOREIGN_DOMAIN',
  'MESSAGE_REPLAYED',
  'MIXED_INPUTS',
  'PROOF_REORGED',
  'SPENDER_TRANSFER',
];

/**
 * Whether other verifications may rely on this one. The query for sources has the same conditions, `requireBound`, and that
 * the address is on no sanctions list at that moment.
 */
export function isReuseSource(record: VerificationRecord): boolean {
  const { status, deletedAt, flow, reuseCode, reuseResult, verifiedAt, warnings, isSatoshiChosen } = record;
  if (status !== 'VERIFIED' || deletedAt || !verifiedAt || reuseCode === null || reuseResult) return false;
  // Whoever chose amount and address may have seen the transfer before.
  const isChosen = flow === 'SATOSHI_TEST' && isSatoshiChosen;
  const isProven = flow !== null && SOURCE_FLOWS.includes(flow) && !isChosen;
  return isProven && !warnings.some((warning) => UNFIT_WARNINGS.includes(warning));
}

/** The match level as a number: 1 is LOW, 3 is HIGH. */
export function rankOf(level: MatchLevel): number {
  return MATCH_LEVELS.indexOf(level) + 1;
}

const ATTRIBUTES: Record<MatchLevel, string[]> = {
  LOW: ['address', 'blockchain', 'subjectType'],
  MEDIUM: ['address', 'blockchain', 'nameHash'],
  HIGH: ['address', 'blockchain', 'subjectType', 'nameHash'],
};

/** The earliest time of an acceptable proof; null: no limit. */
export function oldestProof({ reuseRequest }: VerificationRecord, now: Date): Date | null {
  const days = reuseRequest?.policy.maxReuseAgeDays ?? null;
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}

/** An earlier proof that meets the reuse request. */
export interface ReuseMatch {
  level: MatchLevel;
  provenAt: Date;
  /** The signed text is not bound to the verification that it was signed for. */
  isUnbound: boolean;
}

/**
 * Verifies a new verification by an earlier proof. The result contains the match level and the day of that proof, but
 * neither its tenant nor its flow.
 */
export function reuseProof(
  created: VerificationChange,
  { level, provenAt, isUnbound }: ReuseMatch,
  { actor, now }: { actor: Actor; now: Date },
): VerificationChange {
  const { after: record } = created;
  if (!record.reuseRequest) return created;
  const matchedAttributes = ATTRIBUTES[level];
  const day = provenAt.toISOString().slice(0, 10);
  const reuseResult = {
    matchLevel: level,
    matchedAttributes,
    policy: record.reuseRequest.policy,
    verifiedAt: day,
    ...(isUnbound && { isUnbound }),
  };
  const reused = changed(
    record,
    { status: 'VERIFIED', verifiedAt: now, wakeAt: null, reuseResult },
    {
      type: 'PROOF_REUSED',
      message: 'An earlier proof of this wallet was reused.',
      actor,
      data: { matchLevel: level, matchedAttributes, verifiedAt: day },
      basis: { kind: 'VERIFICATION' },
    },
  );
  return { ...reused, events: [...created.events, ...reused.events] };
}

/** Warns once that the reused proof is no longer valid; the status stays. Null if there is nothing to warn of. */
export function warnOfWithdrawal(record: VerificationRecord, now: Date): VerificationChange | null {
  const isWarned = record.warnings.includes('REUSE_SOURCE_WITHDRAWN');
  if (record.status !== 'VERIFIED' || !record.reuseResult || isWarned) return null;
  return changed(
    record,
    { warnings: [...record.warnings, 'REUSE_SOURCE_WITHDRAWN'], wakeAt: null, updatedAt: now },
    {
      type: 'REUSE_SOURCE_WITHDRAWN',
      message: 'The reused earlier proof is no longer valid.',
      actor: SYSTEM,
    },
  );
}
