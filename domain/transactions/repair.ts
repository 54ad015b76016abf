import { earliest } from '../durations.ts';
import type { TransactionRecord } from './record.ts';
import type { RepairRequest } from './repair-request.ts';

/** Whether the beneficiary VASP waits for data. Any other status ends a request. */
export function isRepairOpen({
  status,
  repairDeadlineAt,
}: Pick<TransactionRecord, 'status' | 'repairDeadlineAt'>): boolean {
  return repairDeadlineAt !== null && status === 'DELIVERED';
}

/** The open request of a record; null where there is none. */
export function openRepair(record: TransactionRecord): RepairRequest | null {
  return isRepairOpen(record) ? (record.personal.repair ?? null) : null;
}

/** The record with a request, or without one. */
export function withRepair(
  record: TransactionRecord,
  repair: RepairRequest | null,
  repairDeadlineAt: Date | null,
): TransactionRecord {
  const { repair: _before, ...personal } = record.personal;
  return { ...record, repairDeadlineAt, personal: repair ? { ...personal, repair } : personal };
}

export function withoutRepair(record: TransactionRecord): TransactionRecord {
  return record.repairDeadlineAt === null && !record.personal.repair
    ? record
    : withRepair(record, null, null);
}

/**
 * When the workflow of a record that is not delayed by anything else must read it again. That of the sender ends requests
 * for both sides.
 */
export function nextDeadline(
  record: Pick<TransactionRecord, 'direction' | 'status' | 'deadlineAt' | 'repairDeadlineAt'>,
): Date | null {
  const { deadlineAt, repairDeadlineAt } = record;
  if (!isTimed(record) || repairDeadlineAt === null) return deadlineAt;
  return deadlineAt === null ? repairDeadlineAt : earliest(deadlineAt, repairDeadlineAt);
}

/** Whether the time of an open request is over, for the workflow that ends it. */
export function isRepairOverdue(
  record: Pick<TransactionRecord, 'direction' | 'status' | 'repairDeadlineAt'>,
  now: Date,
): boolean {
  return isTimed(record) && record.repairDeadlineAt !== null && record.repairDeadlineAt <= now;
}

/** Whether the workflow of the record watches the time of a request. */
export function isTimed(
  record: Pick<TransactionRecord, 'direction' | 'status' | 'repairDeadlineAt'>,
): boolean {
  return record.direction === 'OUTGOING' && isRepairOpen(record);
}
