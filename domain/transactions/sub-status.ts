import type { TransactionRecord } from './record.ts';
import { isSelfHosted } from './self-hosted/self-hosted-wallet.ts';
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
  | 'expiredAt'
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
function pauseOf({ sealed, hold, ruleWaitUntil, isScreeningDelayed }: SubStatusFacts): SubStatus | null {
  if (sealed) return 'OWNERSHIP_UNCONFIRMED';
  if (hold !== null) return 'ON_HOLD';
  if (ruleWaitUntil !== null) return 'WAITING';
  return isScreeningDelayed ? 'SCREENING' : null;
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
  return record.direction === 'OUTGOING' ? (record.routingFault ?? 'ROUTING') : null;
}
