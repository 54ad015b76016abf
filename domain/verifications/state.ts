export const FLOWS = ['SIGNATURE_PROOF', 'SELF_DECLARED', 'SATOSHI_TEST', 'VISUAL_PROOF'] as const;
export type VerificationFlow = (typeof FLOWS)[number];

export const VERIFICATION_STATUSES = [
  'PENDING',
  'VERIFIED',
  'ACTION_REQUIRED',
  'DECLINED',
  'FAILED',
  'DELETED',
] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** Why a verification is FAILED, or why a VERIFIED one was DECLINED later. */
export const FAILURE_CODES = ['EXPIRED', 'TOO_MANY_ATTEMPTS', 'REVOKED'] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

export const STEP_KINDS = ['SOURCE_OF_FUNDS_WEALTH', 'SELFIE'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export const STEP_STATUSES = ['NOT_STARTED', 'ACTION_REQUIRED', 'VERIFIED', 'DECLINED', 'FAILED'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** Every move of a stored verification; the writer refuses any other. */
const MOVES: Record<VerificationStatus, readonly VerificationStatus[]> = {
  PENDING: ['VERIFIED', 'ACTION_REQUIRED', 'FAILED', 'DELETED'],
  ACTION_REQUIRED: ['VERIFIED', 'DECLINED', 'DELETED'],
  VERIFIED: ['DECLINED', 'DELETED'],
  DECLINED: ['DELETED'],
  FAILED: ['DELETED'],
  DELETED: [],
};

/** Whether a verification may change from one status to the other. */
export function mayMove(from: VerificationStatus, to: VerificationStatus): boolean {
  return MOVES[from].includes(to);
}

/** The statuses that a reviewer may set by PATCH; all other changes come from proofs, time, revocation and deletion. */
const REVIEWED: Partial<Record<VerificationStatus, readonly VerificationStatus[]>> = {
  ACTION_REQUIRED: ['VERIFIED', 'DECLINED'],
};

/** The statuses that a reviewer may set now. */
export function allowedDecisions(status: VerificationStatus): readonly VerificationStatus[] {
  return REVIEWED[status] ?? [];
}
