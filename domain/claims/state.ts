import type { Direction } from '../direction.ts';

export const CLAIM_STATUSES = [
  'PENDING',
  'DELIVERED',
  'ANSWERED',
  'DECLINED',
  'EXPIRED',
  'CANCELLED',
  'FAILED',
] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

/** Why a claim is FAILED: no network leads to the originator VASP, or it was not reached for 72 hours. */
export const CLAIM_FAILURE_CODES = ['VASP_NOT_FOUND', 'VASP_NOT_REACHABLE'] as const;
export type ClaimFailureCode = (typeof CLAIM_FAILURE_CODES)[number];

/** Every move of a stored claim; the writer refuses any other. OUTGOING is asked by the tenant, INCOMING of it. */
const MOVES: Record<Direction, Record<ClaimStatus, readonly ClaimStatus[]>> = {
  OUTGOING: {
    PENDING: ['DELIVERED', 'ANSWERED', 'EXPIRED', 'CANCELLED', 'FAILED'],
    DELIVERED: ['ANSWERED', 'DECLINED', 'EXPIRED', 'CANCELLED'],
    ANSWERED: [],
    DECLINED: [],
    EXPIRED: [],
    CANCELLED: [],
    FAILED: [],
  },
  INCOMING: {
    PENDING: [],
    DELIVERED: ['ANSWERED', 'DECLINED', 'EXPIRED', 'CANCELLED'],
    ANSWERED: [],
    DECLINED: [],
    EXPIRED: [],
    CANCELLED: [],
    FAILED: [],
  },
};

/** Whether a claim may change from one status to the other. */
export function mayClaimMove(direction: Direction, from: ClaimStatus, to: ClaimStatus): boolean {
  return MOVES[direction][from].includes(to);
}

/** The status that each side may set by PATCH while the claim is open: the asking side takes it back, the asked one refuses. */
const SETTABLE: Record<Direction, ClaimStatus> = { OUTGOING: 'CANCELLED', INCOMING: 'DECLINED' };

/** The statuses that the claim's tenant may set now. */
export function allowedClaimStatuses({
  direction,
  status,
}: {
  direction: Direction;
  status: ClaimStatus;
}): ClaimStatus[] {
  return MOVES[direction][status].filter((next) => next === SETTABLE[direction]);
}

/** Whether an answer can still come. */
export function isOpenClaim({ status }: { status: ClaimStatus }): boolean {
  return status === 'PENDING' || status === 'DELIVERED';
}
