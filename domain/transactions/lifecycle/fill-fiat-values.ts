import { SYSTEM } from '../../events/actor.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { markForScreening } from '../screening-due.ts';
import { fiatData, fiatValue, type FiatPrice } from '../fiat.ts';
import type { TransactionRecord } from '../record.ts';
import { isSelfHosted, waitsForOwner } from '../self-hosted/self-hosted-wallet.ts';
import { isPendingOutgoing, ownChange } from './own-change.ts';

/**
 * Fills in the fiat values of a record that was created while the price was unknown. An unsent transfer is screened
 * again, because the rules had no value before.
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
  const isDue = isPendingOutgoing(record) && record.screeningState === 'CLEARED';
  return ownChange(record, isDue ? markForScreening(valued, now) : valued, {
    type: 'FIAT_VALUED',
    message: 'The fiat value was filled in.',
    actor: SYSTEM,
    data: fiatData(price),
  });
}
