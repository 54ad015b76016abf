import { isRepairOpen } from './repair.ts';
import type { TransactionRecord } from './record.ts';
import { isSelfHosted } from './self-hosted-wallet.ts';
import type { SubStatus } from './state.ts';

/** The stored facts from which the subStatus follows. */
export type SubStatusFacts = Pick<
  TransactionRecord,
  | 'direction'
  | 'status'
  | 'blockedBy'
  | 'sealed'
  | 'hold'
  | 'ruleWaitUntil'
  | 'isScreeningDelayed'
  | 'awaitsProof'
  | 'routingFault'
  | 'pausedBy'
  | 'expiredAt'
  | 'repairDeadlineAt'
  | 'transactionHash'
  | 'destinationType'
  | 'originType'
  | 'messageSource'
>;

/**
 * The detail of the status, derived from the facts; the first that applies. No writer sets it. The column `sub_status`
 * computes the same in SQL, for filters and indexes.
 */
export function subStatusOf(record: SubStatusFacts): SubStatus | null {
  const { status, blockedBy } = record;
  if (blockedBy !== null) return blockedBy === 'RULE' ? 'BLOCKED_BY_RULE' : 'BLOCKED_BY_REVIEW';
  if (status === 'FAILED')
    return record.routingFault === 'VASP_NOT_REACHABLE' ? 'VASP_NOT_REACHABLE' : 'EXPIRED';
  if (status === 'DECLINED' || status === 'CANCELLED') return null;
  return pauseOf(record) ?? progressOf(record);
}

/** Why the record does not go on, whatever its progress. */
function pauseOf(record: SubStatusFacts): SubStatus | null {
  const { sealed, hold, ruleWaitUntil, isScreeningDelayed } = record;
  if (sealed) return 'OWNERSHIP_UNCONFIRMED';
  if (waitsForData(record)) return 'DATA_REQUESTED';
  if (hold !== null) return 'ON_HOLD';
  if (ruleWaitUntil !== null) return 'WAITING';
  return isScreeningDelayed ? 'SCREENING' : null;
}

/**
 * Whether data that was asked for comes next. The receiver's review waits for it; the sender's own review of what it holds
 * comes first.
 */
export function waitsForData(
  record: Pick<SubStatusFacts, 'direction' | 'status' | 'hold' | 'repairDeadlineAt'>,
): boolean {
  return isRepairOpen(record) && (record.direction === 'INCOMING' || record.hold === null);
}

function progressOf(record: SubStatusFacts): SubStatus | null {
  const { status, direction, transactionHash, expiredAt } = record;
  if (status === 'CONFIRMED') return transactionHash === null ? 'AWAITING_TRANSACTION_HASH' : null;
  if (status === 'PENDING') return pendingProgress(record);
  // The tenant decides on each message that it received.
  if (direction === 'INCOMING') return 'ON_HOLD';
  return expiredAt === null ? 'AWAITING_COUNTERPARTY' : 'EXPIRED';
}

function pendingProgress(record: SubStatusFacts): SubStatus | null {
  if (isSelfHosted(record) && record.awaitsProof) return 'OWNERSHIP_UNCONFIRMED';
  if (record.direction !== 'OUTGOING') return null;
  return record.pausedBy === null ? (record.routingFault ?? 'ROUTING') : 'PAUSED';
}
