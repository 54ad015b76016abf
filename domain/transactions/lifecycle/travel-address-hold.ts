import { NO_CHANGE, type PairChange } from '../change.ts';
import { HOLD_TEXTS } from '../deciding/apply-verdict.ts';
import type { TransactionRecord } from '../record.ts';
import { needsScreening } from '../screening-due.ts';
import { isPendingOutgoing, moved, ownChange } from './own-change.ts';

/** Whether a reviewer has let the message pass since it was held for this travel address and this VASP. */
export function isTravelAddressPassed({ personal }: TransactionRecord): boolean {
  const { heldTravelAddress: held, reviews = [], vaspInfo } = personal;
  const isOfAddress =
    held?.travelAddress === vaspInfo.beneficiaryTravelAddress &&
    held?.vaspName === vaspInfo.beneficiaryVaspName;
  if (!held || !isOfAddress) return false;
  return reviews.some(
    ({ decision, hold, isVoid, at }) =>
      decision === 'PROCEED' && hold === 'TRAVEL_ADDRESS' && !isVoid && new Date(at) >= new Date(held.at),
  );
}

/** Holds a message before it leaves for a travel address that may be anybody's. */
export function holdForTravelAddress(record: TransactionRecord, now: Date): PairChange {
  const isOpen =
    isPendingOutgoing(record) && !needsScreening(record) && record.hold === null && record.pairId === null;
  if (!isOpen || isTravelAddressPassed(record)) return NO_CHANGE;
  const { beneficiaryTravelAddress: travelAddress = null, beneficiaryVaspName: vaspName } =
    record.personal.vaspInfo;
  if (travelAddress === null) return NO_CHANGE;
  const heldTravelAddress = { travelAddress, vaspName, at: now.toISOString() };
  return ownChange(
    record,
    {
      hold: 'TRAVEL_ADDRESS',
      routingFault: null,
      wakeAt: null,
      updatedAt: now,
      personal: { ...record.personal, heldTravelAddress },
    },
    {
      type: 'HELD',
      message: HOLD_TEXTS.TRAVEL_ADDRESS,
      ...moved(record, 'PENDING'),
      data: { hold: 'TRAVEL_ADDRESS' },
    },
  );
}
