import type { Direction } from '../direction.ts';

export const STATUSES = ['PENDING', 'DELIVERED', 'CONFIRMED', 'DECLINED', 'FAILED', 'CANCELLED'] as const;
export type Status = (typeof STATUSES)[number];

export const SUB_STATUSES = [
  'ROUTING',
  'ON_HOLD',
  'BLOCKED_BY_RULE',
  'VASP_NOT_FOUND',
  'VASP_NOT_REACHABLE',
  'AWAITING_COUNTERPARTY',
  'EMAIL_SENT',
  'OWNERSHIP_UNCONFIRMED',
  'AWAITING_TRANSACTION_HASH',
  'SCREENING',
  'WAITING',
  'EXPIRED',
] as const;
export type SubStatus = (typeof SUB_STATUSES)[number];

/**
 * DUE is to be screened and decided, OPEN was, RELEASED was by a reviewer; RECHECK is one of these that is only to be
 * compared with the lists again.
 */
export type ScreeningState = 'DUE' | 'CLEARED' | 'REVIEWED' | 'RECHECK';

/** Why a transfer is held until somebody has reviewed it. */
export const HOLDS = ['RULE', 'SANCTIONS', 'UNSCREENED', 'COUNTERPARTY'] as const;
export type HoldReason = (typeof HOLDS)[number];

/** Every move of a stored transaction; the writer refuses any other. A status without moves is final. */
const MOVES: Record<Direction, Record<Status, readonly Status[]>> = {
  OUTGOING: {
    PENDING: ['DELIVERED', 'CONFIRMED', 'DECLINED', 'FAILED', 'CANCELLED'],
    DELIVERED: ['CONFIRMED', 'DECLINED', 'FAILED', 'CANCELLED'],
    FAILED: ['PENDING'],
    CONFIRMED: [],
    DECLINED: [],
    CANCELLED: [],
  },
  INCOMING: {
    PENDING: ['DELIVERED', 'CONFIRMED', 'DECLINED', 'CANCELLED'],
    DELIVERED: ['CONFIRMED', 'DECLINED', 'CANCELLED'],
    FAILED: [],
    CONFIRMED: [],
    DECLINED: [],
    CANCELLED: [],
  },
};

/** What a tenant may set by PATCH: its own decision on what it received, the withdrawal of what it sent. */
const SETTABLE: Record<Direction, readonly Status[]> = {
  OUTGOING: ['CANCELLED'],
  INCOMING: ['CONFIRMED', 'DECLINED'],
};

interface SettableFacts {
  direction: Direction;
  status: Status;
  sealed: boolean;
}

/** The statuses that the record's tenant may set now. FAILED can only be deleted or retried. */
export function allowedStatuses({ direction, status, sealed }: SettableFacts): Status[] {
  if (status === 'FAILED') return [];
  const open = SETTABLE[direction].filter((next) => MOVES[direction][status].includes(next));
  // Who does not own the destination cannot accept what was sent to it.
  return sealed ? open.filter((next) => next !== 'CONFIRMED') : open;
}

export function mayMove(direction: Direction, from: Status, to: Status): boolean {
  return MOVES[direction][from].includes(to);
}

/** What a decided record still waits for: a confirmed one for the hash of its transfer. */
export function subStatusOf(status: Status, transactionHash: string | null): SubStatus | null {
  return status === 'CONFIRMED' && transactionHash === null ? 'AWAITING_TRANSACTION_HASH' : null;
}

/** CONFIRMED, DECLINED and CANCELLED end a transaction for good. */
export function isFinal(status: Status): boolean {
  return status === 'CONFIRMED' || status === 'DECLINED' || status === 'CANCELLED';
}
