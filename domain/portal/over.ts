import type { ClaimRecord } from '../claims/record.ts';
import type { TransactionRecord } from '../transactions/record.ts';

/** Whether the sender's record of a message ended before anybody opened the link: nothing of it is shown any more. */
export function isMessageOver({ status, pairId }: Pick<TransactionRecord, 'status' | 'pairId'>): boolean {
  return pairId === null && status !== 'PENDING';
}

/** Whether the asking side's record of a claim ended before anybody opened the link, or went another way. */
export function isClaimOver({
  status,
  counterpartId,
  messageSource,
}: Pick<ClaimRecord, 'status' | 'counterpartId' | 'messageSource'>): boolean {
  return status !== 'PENDING' && (counterpartId === null || messageSource !== 'EMAIL');
}
