import { SYSTEM } from '../../events/actor.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { markForScreening } from '../screening-due.ts';
import { fiatData, fiatValue, type FiatPrice } from '../fiat.ts';
import type { TransactionRecord } from '../record.ts';
import { isSelfHosted, waitsForOwner } from '../self-hosted-wallet.ts';
import { isPendingOutgoing, ownChange } from './own-change.ts';

/**
 * Fills in the fiat values of a record that was created while the price was unknown. A transfer that is not sent yet, or
 * that a rule lets wait, is decided again, because the rules had no value before.
 */
export function fillFiatValues(
  record: TransactionRecord,
  price: FiatPrice | undefined,
  now: Date,
): PairChange {
  const value = fiatValue(record.amount, price);
  if (record.amountUsd !== null || record.amountEur !== null || (!value.amountUsd && !value.amountEur))
    return NO_CHANGE;
  const wakeAt = isSelfHosted(record) && waitsForOwner(record) ? now : record.wakeAt;
  const valued = { ...record, ...value, wakeAt, updatedAt: now };
  const isCleared = isPendingOutgoing(record) && record.screeningState === 'CLEARED';
  const after = isCleared || record.ruleWaitUntil !== null ? markForScreening(valued, now) : valued;
  const { own } = ownChange(record, after, {
    type: 'FIAT_VALUED',
    message: 'The fiat value was filled in.',
    actor: SYSTEM,
    data: fiatData(price),
  });
  const wakesWorkflow = after.wakeAt?.getTime() === now.getTime();
  return { own: own && { ...own, wakesWorkflow }, counterpart: null, forwarded: null };
}
