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

/** Whether screening or rules look at the field; a rule that lets a transfer wait may wait for its hash. */
export function isScreened(field: string, { subStatus }: Pick<TransactionRecord, 'subStatus'>): boolean {
  if (field === HASH_FIELD) return subStatus === 'WAITING';
  return /^(originator|beneficiary)\./.test(field) || SCREENED_FIELDS.has(field);
}

/** What was changed, found or added since makes a transfer be screened and decided again. */
export function markForScreening(record: TransactionRecord, now: Date): TransactionRecord {
  return { ...record, screeningState: 'DUE', screeningDueSince: now, wakeAt: now };
}

/**
 * Whether the record is still to be screened. One that its tenant confirmed in the meantime is, too: a match then keeps the
 * coins from moving.
 */
export function needsScreening({
  screeningState,
  status,
  deletedAt,
}: Pick<TransactionRecord, 'screeningState' | 'status' | 'deletedAt'>): boolean {
  if (screeningState !== 'DUE' && screeningState !== 'RECHECK') return false;
  return deletedAt === null && (status === 'CONFIRMED' || !(isFinal(status) || status === 'FAILED'));
}
