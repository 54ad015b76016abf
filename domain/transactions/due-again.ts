import type { TransactionRecord } from './record.ts';

const SCREENED_FIELDS = new Set([
  'additionalOriginators',
  'vaspInfo.beneficiaryVaspName',
  'vaspInfo.originatorVaspName',
  'blockchainInfo.blockchain',
  'blockchainInfo.origin',
]);

/** Whether screening or rules look at the field. */
export function isScreened(field: string): boolean {
  return /^(originator|beneficiary)\./.test(field) || SCREENED_FIELDS.has(field);
}

/** What was changed, found or added since makes a transfer be screened and decided again. */
export function dueAgain(record: TransactionRecord, now: Date): TransactionRecord {
  return { ...record, gate: 'DUE', gateSince: now, wakeAt: now };
}
