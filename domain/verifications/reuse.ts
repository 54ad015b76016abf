import { SYSTEM, type Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import { MATCH_LEVELS, type MatchLevel, type VerificationRecord } from './record.ts';
import type { ProofWarning } from './risk.ts';
import type { Flow } from './state.ts';
import { DAY_MS } from '../durations.ts';

/** The ways of proving that another tenant may rely on: a word or a picture is judged by whoever it was given to. */
export const SOURCE_FLOWS: readonly Flow[] = ['SIGNATURE_PROOF', 'SATOSHI_TEST'];

/** What a proof carries that is not known to be the owner's own deed, or is none any more. */
export const UNFIT_WARNINGS: readonly ProofWarning[] = [
  'CONTRACT_SIGNATURE',
  'FOREIGN_DOMAIN',
  'MESSAGE_REPLAYED',
  'MIXED_INPUTS',
  'PROOF_REORGED',
  'SPENDER_TRANSFER',
];

/** Whether other verifications may rely on this one; the query that looks for sources says the same. */
export function isReuseSource(record: VerificationRecord): boolean {
  const { status, deletedAt, flow, reuseCode, reuseResult, verifiedAt, warnings } = record;
  if (status !== 'VERIFIED' || deletedAt || !verifiedAt || reuseCode === null || reuseResult) return false;
  const isProven = flow !== null && SOURCE_FLOWS.includes(flow);
  return isProven && !warnings.some((warning) => UNFIT_WARNINGS.includes(warning));
}

/** How much agrees, to be compared: 1 is LOW, 3 is HIGH. */
export function rankOf(level: MatchLevel): number {
  return MATCH_LEVELS.indexOf(level) + 1;
}

const ATTRIBUTES: Record<MatchLevel, string[]> = {
  LOW: ['address', 'blockchain', 'subjectType'],
  MEDIUM: ['address', 'blockchain', 'nameHash'],
  HIGH: ['address', 'blockchain', 'subjectType', 'nameHash'],
};

/** The moment from which on a proof is young enough; null: any. */
export function oldestProof({ reuseRequest }: VerificationRecord, now: Date): Date | null {
  const days = reuseRequest?.policy.maxReuseAgeDays ?? null;
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}

/** An earlier proof that is good enough for what was asked. */
export interface ReuseMatch {
  level: MatchLevel;
  provenAt: Date;
}

/**
 * A new verification that is VERIFIED by an earlier proof. It says how much agreed and the day of that proof, and nothing
 * else: neither whose it was nor how it was given.
 */
export function reuseProof(
  created: VerificationChange,
  { level, provenAt }: ReuseMatch,
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

/** The earlier proof is none any more: told once, and the state stays. Null when there is nothing to tell. */
export function warnOfWithdrawal(record: VerificationRecord, now: Date): VerificationChange | null {
  const isWarned = record.warnings.includes('REUSE_SOURCE_WITHDRAWN');
  if (record.status !== 'VERIFIED' || !record.reuseResult || isWarned) return null;
  return changed(
    record,
    { warnings: [...record.warnings, 'REUSE_SOURCE_WITHDRAWN'], wakeAt: null, updatedAt: now },
    {
      type: 'REUSE_SOURCE_WITHDRAWN',
      message: 'The earlier proof that was reused is no proof any more.',
      actor: SYSTEM,
    },
  );
}
