import { HASH_FIELD } from './changed-fields.ts';
import type { TransactionRecord } from './record.ts';
import { isFinal } from './state.ts';

const SCREENED_FIELDS = new Set([
  'additionalOriginators',
  'vaspInfo.beneficiaryVaspName',
  'vaspInfo.originatorVaspName',
  'blockchainInfo.blockchain',
  'blockchainInfo.origin',
]);

/** Whether screening or rules read the field. The hash counts while a rule lets the transfer wait: it may wait for it. */
export function isScreened(field: string, { subStatus }: Pick<TransactionRecord, 'subStatus'>): boolean {
  if (field === HASH_FIELD) return subStatus === 'WAITING';
  return /^(originator|beneficiary)\./.test(field) || SCREENED_FIELDS.has(field);
}

/** Marks a record for another screening and decision. */
export function markForScreening(record: TransactionRecord, now: Date): TransactionRecord {
  return { ...record, screeningState: 'DUE', screeningDueSince: now, wakeAt: now };
}

/**
 * Whether the record still has to be screened. This includes a record that its tenant has confirmed in the meantime: a
 * match can still stop the coins.
 */
export function needsScreening({
  screeningState,
  status,
  deletedAt,
}: Pick<TransactionRecord, 'screeningState' | 'status' | 'deletedAt'>): boolean {
  if (screeningState !== 'DUE' && screeningState !== 'RECHECK') return false;
  return deletedAt === null && (status === 'CONFIRMED' || !(isFinal(status) || status === 'FAILED'));
}
