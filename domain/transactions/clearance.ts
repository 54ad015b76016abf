import type { TransactionRecord } from './record.ts';
import { needsScreening } from './screening-due.ts';
import { isSelfHosted, waitsForOwner } from './self-hosted/self-hosted-wallet.ts';
import { isFinal, type HoldReason, type Status, type SubStatus } from './state.ts';
import { subStatusOf, type SubStatusFacts } from './sub-status.ts';

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
  /** The status and, if set, the subStatus and the reason of the hold or of the block. */
  reasons: (Status | SubStatus | HoldReason)[];
  nextAction: NextAction;
  /** The end of the time that the transaction waits. */
  deadlineAt: string | null;
}

type ClearanceFacts = SubStatusFacts &
  Pick<TransactionRecord, 'blockedHold' | 'screeningState' | 'deadlineAt' | 'deletedAt'>;

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
  BLOCKED_BY_REVIEW: { OUTGOING: 'NONE', INCOMING: 'NONE' },
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

/** The clearance of a record, derived from its facts. */
export function clearanceOf(record: ClearanceFacts): Clearance {
  const { status, hold, blockedHold, deadlineAt, ruleWaitUntil } = record;
  const subStatus = subStatusOf(record);
  const reasons = [status, subStatus, hold ?? blockedHold].filter((reason) => reason !== null);
  const endsAt = subStatus === 'WAITING' ? ruleWaitUntil : deadlineAt;
  return {
    outcome: outcomeOf(record),
    reasons,
    nextAction: nextActionOf(record, subStatus),
    deadlineAt: endsAt?.toISOString() ?? null,
  };
}

/**
 * GO is for a confirmed transfer without hold, block and due screening only: whatever the other side has confirmed, its
 * coins must not move before that.
 */
export function outcomeOf(record: ClearanceFacts): Clearance['outcome'] {
  if (record.blockedBy !== null) return 'STOP';
  const mayGo = record.hold === null && !needsScreening(record);
  return OUTCOME[record.status] === 'GO' && !mayGo ? 'WAIT' : OUTCOME[record.status];
}

function nextActionOf(record: ClearanceFacts, subStatus: SubStatus | null): NextAction {
  const { direction, status, hold } = record;
  if (record.blockedBy !== null) return 'NONE';
  // A failed transaction can be retried, whatever the failure was.
  if (status === 'FAILED') return 'RETRY';
  if (hold !== null && (!isFinal(status) || status === 'CONFIRMED')) return 'REVIEW';
  // Its coins must not move before the screening.
  if (status === 'CONFIRMED' && needsScreening(record)) return 'NONE';
  // A deposit from an unproven wallet. Messages from a network are DELIVERED and wait for CONFIRM_WALLET instead.
  if (waitsForOwner(record)) return 'PROVE_OWNERSHIP';
  // Nobody but the tenant itself can add the hash of its transfer with a self-hosted wallet.
  if (subStatus === 'AWAITING_TRANSACTION_HASH' && isSelfHosted(record)) return 'ADD_HASH';
  if (subStatus) return ACTION[subStatus][direction];
  // A record that its own tenant created waits for that tenant's decision.
  return status === 'PENDING' && direction === 'INCOMING' ? 'REVIEW' : 'NONE';
}
