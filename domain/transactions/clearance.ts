import type { TransactionRecord } from './record.ts';
import { waitsForOwner } from './self-hosted/self-hosted-wallet.ts';
import { isFinal, type HoldReason, type Status, type SubStatus } from './state.ts';

export const OUTCOMES = ['GO', 'WAIT', 'STOP'] as const;
export const NEXT_ACTIONS = [
  'NONE',
  'WAIT_FOR_COUNTERPARTY',
  'FIX_ROUTING',
  'REVIEW',
  'CONFIRM_WALLET',
  'PROVE_OWNERSHIP',
  'ADD_HASH',
  'RETRY',
] as const;

type NextAction = (typeof NEXT_ACTIONS)[number];

/** Whether the coins may move, why not yet, and what the tenant can do about it. */
export interface Clearance {
  outcome: (typeof OUTCOMES)[number];
  /** The status and, if set, the subStatus and the hold reason. */
  reasons: (Status | SubStatus | HoldReason)[];
  nextAction: NextAction;
  /** The end of the time that the transaction waits. */
  deadlineAt: string | null;
}

type ClearanceFacts = Pick<TransactionRecord, 'direction' | 'status' | 'subStatus' | 'hold' | 'deadlineAt'>;

const OUTCOME: Record<Status, Clearance['outcome']> = {
  PENDING: 'WAIT',
  DELIVERED: 'WAIT',
  CONFIRMED: 'GO',
  DECLINED: 'STOP',
  FAILED: 'WAIT',
  CANCELLED: 'STOP',
};

/** The next action for each subStatus, for the sending and the receiving side. */
const ACTION: Record<SubStatus, { OUTGOING: NextAction; INCOMING: NextAction }> = {
  ROUTING: { OUTGOING: 'NONE', INCOMING: 'NONE' },
  ON_HOLD: { OUTGOING: 'REVIEW', INCOMING: 'REVIEW' },
  BLOCKED_BY_RULE: { OUTGOING: 'NONE', INCOMING: 'NONE' },
  VASP_NOT_FOUND: { OUTGOING: 'FIX_ROUTING', INCOMING: 'NONE' },
  VASP_NOT_REACHABLE: { OUTGOING: 'WAIT_FOR_COUNTERPARTY', INCOMING: 'NONE' },
  AWAITING_COUNTERPARTY: { OUTGOING: 'WAIT_FOR_COUNTERPARTY', INCOMING: 'WAIT_FOR_COUNTERPARTY' },
  EMAIL_SENT: { OUTGOING: 'WAIT_FOR_COUNTERPARTY', INCOMING: 'NONE' },
  OWNERSHIP_UNCONFIRMED: { OUTGOING: 'PROVE_OWNERSHIP', INCOMING: 'CONFIRM_WALLET' },
  AWAITING_TRANSACTION_HASH: { OUTGOING: 'ADD_HASH', INCOMING: 'WAIT_FOR_COUNTERPARTY' },
  SCREENING: { OUTGOING: 'NONE', INCOMING: 'NONE' },
  WAITING: { OUTGOING: 'NONE', INCOMING: 'NONE' },
  EXPIRED: { OUTGOING: 'WAIT_FOR_COUNTERPARTY', INCOMING: 'REVIEW' },
};

/** The clearance of a record, derived from its status, subStatus and hold. */
export function clearanceOf(record: ClearanceFacts): Clearance {
  const { status, subStatus, hold, deadlineAt } = record;
  return {
    outcome: outcomeOf(record),
    reasons: [status, ...(subStatus ? [subStatus] : []), ...(hold ? [hold] : [])],
    nextAction: nextActionOf(record),
    deadlineAt: deadlineAt?.toISOString() ?? null,
  };
}

/** The coins of a held transfer must not move, even if the other side has already confirmed it. */
function outcomeOf({ status, subStatus, hold }: ClearanceFacts): Clearance['outcome'] {
  if (subStatus === 'BLOCKED_BY_RULE') return 'STOP';
  return hold !== null && OUTCOME[status] === 'GO' ? 'WAIT' : OUTCOME[status];
}

function nextActionOf({ direction, status, subStatus, hold }: ClearanceFacts): NextAction {
  if (hold !== null && (!isFinal(status) || status === 'CONFIRMED')) return 'REVIEW';
  // A failed transaction can be retried, whatever the failure was.
  if (status === 'FAILED') return 'RETRY';
  // A deposit from an unproven wallet. Messages from a network are DELIVERED and wait for CONFIRM_WALLET instead.
  if (waitsForOwner({ status, subStatus })) return 'PROVE_OWNERSHIP';
  if (subStatus) return ACTION[subStatus][direction];
  // A record that its own tenant created waits for that tenant's decision.
  return status === 'PENDING' && direction === 'INCOMING' ? 'REVIEW' : 'NONE';
}
