import type { TransactionRecord } from './record.ts';
import { isScreeningDue } from './screening-due.ts';
import { isSelfHosted, waitsForOwner } from './self-hosted-wallet.ts';
import { isFinal, type HoldReason, type Status, type SubStatus } from './state.ts';
import { subStatusOf, waitsForData, type SubStatusFacts } from './sub-status.ts';

export const OUTCOMES = ['GO', 'WAIT', 'STOP'] as const;
export const NEXT_ACTIONS = [
  'NONE',
  'WAIT_FOR_COUNTERPARTY',
  'FIX_ROUTING',
  'REVIEW',
  'CONFIRM_WALLET',
  'PROVE_OWNERSHIP',
  'ADD_HASH',
  'PROVIDE_DATA',
  'RETRY',
] as const;

type NextAction = (typeof NEXT_ACTIONS)[number];

/** The reason of a transfer for whose self-hosted wallet there are only proofs that do not confirm it by themselves. */
export const PROOF_DOUBTED = 'PROOF_DOUBTED';

/** The reason of an unanswered transfer whose coins go by the tenant's decision. */
export const SUNRISE_OVERRIDE = 'SUNRISE_OVERRIDE';

/** The reasons of an own record for whose transfer another record is held, or was stopped. */
export const TRANSFER_STOPS = { HELD: 'RELATED_HELD', BLOCKED: 'RELATED_BLOCKED' } as const;
type StopReason = (typeof TRANSFER_STOPS)[keyof typeof TRANSFER_STOPS];

/** Whether the coins may move, why not yet, and what the tenant can do about it. */
export interface Clearance {
  outcome: (typeof OUTCOMES)[number];
  /**
   * The status and, if set, the subStatus, the reason of the hold or of the block, what stands against another record of
   * the transfer, what a proof or wallet lacks, and that the coins go without an answer.
   */
  reasons: (Status | SubStatus | HoldReason | StopReason | typeof PROOF_DOUBTED | typeof SUNRISE_OVERRIDE)[];
  nextAction: NextAction;
  /** The end of the time that the transaction waits. */
  deadlineAt: string | null;
}

type ClearanceFacts = SubStatusFacts &
  Pick<
    TransactionRecord,
    | 'blockedHold'
    | 'transferStop'
    | 'screeningState'
    | 'deadlineAt'
    | 'deletedAt'
    | 'awaitsWallet'
    | 'isProofDoubted'
    | 'sunriseOverrideAt'
  >;

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
  DATA_REQUESTED: { OUTGOING: 'PROVIDE_DATA', INCOMING: 'WAIT_FOR_COUNTERPARTY' },
  OWNERSHIP_UNCONFIRMED: { OUTGOING: 'PROVE_OWNERSHIP', INCOMING: 'CONFIRM_WALLET' },
  PAUSED: { OUTGOING: 'NONE', INCOMING: 'NONE' },
  AWAITING_TRANSACTION_HASH: { OUTGOING: 'ADD_HASH', INCOMING: 'WAIT_FOR_COUNTERPARTY' },
  SCREENING: { OUTGOING: 'NONE', INCOMING: 'NONE' },
  WAITING: { OUTGOING: 'NONE', INCOMING: 'NONE' },
  EXPIRED: { OUTGOING: 'WAIT_FOR_COUNTERPARTY', INCOMING: 'REVIEW' },
};

/** The clearance of a record, derived from its facts. */
export function clearanceOf(record: ClearanceFacts): Clearance {
  const subStatus = subStatusOf(record);
  const endsAt = endOfWait(record, subStatus);
  return {
    outcome: outcomeOf(record),
    reasons: reasonsOf(record, subStatus),
    nextAction: nextActionOf(record, subStatus),
    deadlineAt: endsAt?.toISOString() ?? null,
  };
}

function endOfWait(record: ClearanceFacts, subStatus: SubStatus | null): Date | null {
  if (subStatus === 'WAITING') return record.ruleWaitUntil;
  return subStatus === 'DATA_REQUESTED' ? record.repairDeadlineAt : record.deadlineAt;
}

function reasonsOf(record: ClearanceFacts, subStatus: SubStatus | null): Clearance['reasons'] {
  const { status, hold, blockedHold, transferStop, isProofDoubted } = record;
  const isDoubted = waitsForOwner(record) && isProofDoubted;
  const reasons: (Clearance['reasons'][number] | null)[] = [
    status,
    subStatus,
    hold ?? blockedHold,
    transferStop && TRANSFER_STOPS[transferStop],
    isDoubted ? PROOF_DOUBTED : null,
    lacksWallet(record) ? 'OWNERSHIP_UNCONFIRMED' : null,
    record.sunriseOverrideAt !== null && !isFinal(status) ? SUNRISE_OVERRIDE : null,
  ];
  return reasons.filter((reason) => reason !== null);
}

/** Whether nobody may confirm an open message, because its destination is none of the tenant's own since a change. */
function lacksWallet({ status, awaitsWallet, blockedBy }: ClearanceFacts): boolean {
  return awaitsWallet && blockedBy === null && !isFinal(status);
}

/**
 * GO is for a confirmed transfer without hold, block and due screening only: whatever the other side has confirmed, its
 * coins must not move before that. A hold or block of another record of the transfer counts as well.
 */
export function outcomeOf(record: ClearanceFacts): Clearance['outcome'] {
  const { hold, blockedBy, transferStop } = record;
  if (blockedBy !== null || transferStop === 'BLOCKED') return 'STOP';
  const mayGo = hold === null && transferStop === null && !isScreeningDue(record);
  return OUTCOME[record.status] === 'GO' && !mayGo ? 'WAIT' : OUTCOME[record.status];
}

function nextActionOf(record: ClearanceFacts, subStatus: SubStatus | null): NextAction {
  const { direction, status, hold, transferStop } = record;
  if (record.blockedBy !== null || transferStop === 'BLOCKED') return 'NONE';
  // A failed transaction can be retried, whatever the failure was.
  if (status === 'FAILED') return 'RETRY';
  // Whatever else it waits for, nobody may let it pass before that.
  if (lacksWallet(record) || record.sealed) return isFinal(status) ? 'NONE' : 'CONFIRM_WALLET';
  if (waitsForData(record)) return ACTION.DATA_REQUESTED[direction];
  if (hold !== null && (!isFinal(status) || status === 'CONFIRMED')) return 'REVIEW';
  // The other record of the transfer is reviewed first.
  if (transferStop !== null) return 'NONE';
  // The coins must not move before the screening.
  if (status === 'CONFIRMED' && isScreeningDue(record)) return 'NONE';
  // A deposit from an unproven wallet. Messages from a network are DELIVERED and wait for CONFIRM_WALLET instead.
  if (waitsForOwner(record)) return record.isProofDoubted ? 'REVIEW' : 'PROVE_OWNERSHIP';
  // Only the tenant can add the hash of a record without a message.
  const isOwn = isSelfHosted(record) || record.messageSource === 'MANUAL';
  if (subStatus === 'AWAITING_TRANSACTION_HASH' && isOwn) return 'ADD_HASH';
  if (subStatus) return ACTION[subStatus][direction];
  // A record that its own tenant created waits for that tenant's decision.
  return status === 'PENDING' && direction === 'INCOMING' ? 'REVIEW' : 'NONE';
}
