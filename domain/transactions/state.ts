import type { Direction } from '../direction.ts';

export const STATUSES = ['PENDING', 'DELIVERED', 'CONFIRMED', 'DECLINED', 'FAILED', 'CANCELLED'] as const;
export type Status = (typeof STATUSES)[number];

export const SUB_STATUSES = [
  'ROUTING',
  'ON_HOLD',
  'BLOCKED_BY_RULE',
  'BLOCKED_BY_REVIEW',
  'VASP_NOT_FOUND',
  'VASP_NOT_REACHABLE',
  'AWAITING_COUNTERPARTY',
  'EMAIL_SENT',
  'DATA_REQUESTED',
  'OWNERSHIP_UNCONFIRMED',
  'PAUSED',
  'AWAITING_TRANSACTION_HASH',
  'SCREENING',
  'WAITING',
  'EXPIRED',
] as const;
export type SubStatus = (typeof SUB_STATUSES)[number];

/**
 * DUE: the record has to be screened and decided. CLEARED: that is done. REVIEWED: a reviewer decided. RECHECK: a cleared
 * or reviewed record has to be compared with the sanctions lists again, nothing else.
 */
export type ScreeningState = 'DUE' | 'CLEARED' | 'REVIEWED' | 'RECHECK';

/** Who stopped a transfer for good: a rule or the policy for the counterparty, or a reviewer. */
export type BlockedBy = 'RULE' | 'REVIEW';

/**
 * Why a message has not arrived: no beneficiary VASP was found, or none of its addresses answers; or the link to it was sent by
 * e-mail, and nobody has opened it.
 */
export type RoutingFault = 'VASP_NOT_FOUND' | 'VASP_NOT_REACHABLE' | 'EMAIL_SENT';

/** Why a transfer is held until somebody has reviewed it. */
export const HOLDS = [
  'RULE',
  'SANCTIONS',
  'UNSCREENED',
  'COUNTERPARTY',
  'INCOMPLETE_PARTY',
  'MAILBOX',
  'TRAVEL_ADDRESS',
] as const;
export type HoldReason = (typeof HOLDS)[number];

/** Another record of the transfer waits for a review, or was stopped by one or by a rule. */
export type TransferStop = 'HELD' | 'BLOCKED';

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
    // PENDING: the originator VASP took back the message that had completed the tenant's own record.
    DELIVERED: ['PENDING', 'CONFIRMED', 'DECLINED', 'CANCELLED'],
    FAILED: [],
    CONFIRMED: [],
    DECLINED: [],
    CANCELLED: [],
  },
};

/** The statuses that a tenant may set by PATCH: its decision on an incoming, the withdrawal of an outgoing transaction. */
const SETTABLE: Record<Direction, readonly Status[]> = {
  OUTGOING: ['CANCELLED'],
  INCOMING: ['CONFIRMED', 'DECLINED'],
};

interface SettableFacts {
  direction: Direction;
  status: Status;
  sealed: boolean;
  awaitsWallet: boolean;
}

/** The statuses that the record's tenant may set now. FAILED can only be deleted or retried. */
export function allowedStatuses({ direction, status, ...owner }: SettableFacts): Status[] {
  if (status === 'FAILED') return [];
  const open = SETTABLE[direction].filter((next) => MOVES[direction][status].includes(next));
  return lacksDestination(owner) ? open.filter((next) => next !== 'CONFIRMED') : open;
}

/**
 * Whether the tenant has not confirmed that the destination of a message is its own: since it arrived, or since its
 * blockchain was changed. Nobody may confirm the message then.
 */
export function lacksDestination({
  sealed,
  awaitsWallet,
}: Pick<SettableFacts, 'sealed' | 'awaitsWallet'>): boolean {
  return sealed || awaitsWallet;
}

/** Whether a transaction may change from one status to the other. */
export function mayMove(direction: Direction, from: Status, to: Status): boolean {
  return MOVES[direction][from].includes(to);
}

/** Whether a status is the beneficiary VASP's answer to a message. */
export function isAnswer(status: Status): boolean {
  return status === 'CONFIRMED' || status === 'DECLINED';
}

/** CONFIRMED, DECLINED and CANCELLED end a transaction for good. */
export function isFinal(status: Status): boolean {
  return status === 'CONFIRMED' || status === 'DECLINED' || status === 'CANCELLED';
}
