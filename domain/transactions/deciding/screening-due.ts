import { HASH_FIELD } from '../changed-fields.ts';
import type { TransactionRecord } from '../record.ts';
import { isFinal } from '../state.ts';

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
export function dueAgain(record: TransactionRecord, now: Date): TransactionRecord {
  return { ...record, gate: 'DUE', gateSince: now, wakeAt: now };
}

/**
 * Whether the record is still to be screened. One that its tenant confirmed in the meantime is, too: a match then keeps the
 * coins from moving.
 */
export function isUndecided({
  gate,
  status,
  deletedAt,
}: Pick<TransactionRecord, 'gate' | 'status' | 'deletedAt'>): boolean {
  if (gate !== 'DUE' && gate !== 'RECHECK') return false;
  return deletedAt === null && (status === 'CONFIRMED' || !(isFinal(status) || status === 'FAILED'));
}
