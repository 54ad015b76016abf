import { DomainError } from '../errors.ts';
import { COUNTERPARTY } from '../events/actor.ts';
import { hashFields } from '../normalised-places.ts';
import { patchMessage } from '../partners/patch-message.ts';
import { NO_CHANGE, type PairChange } from '../transactions/change.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import type { TrpConfirmation } from './messages.ts';

/**
 * What an originator VASP says in the end of the message that it sent by TRP: `own` is the gateway's record. TRP lets it cancel
 * after the approval; the tenant's decision stands then, and its log and webhook say that no coins will come. They say it once:
 * whoever has the callback may call it as often as it likes.
 */
export function applyConfirmation(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  { txid, canceled }: TrpConfirmation,
  now: Date,
): PairChange {
  if (typeof txid === 'string') return withHash(own, counterpart, txid, now);
  if (canceled === undefined || canceled === null || own.status === 'CANCELLED') return NO_CHANGE;
  if (own.personal.cancelledLateAt !== undefined) return NO_CHANGE;
  const isOpen = own.status === 'DELIVERED' || own.status === 'PENDING';
  return isOpen
    ? patchMessage(own, counterpart, { status: 'CANCELLED', statusReasonCode: 'CANCELLED_BY_SENDER' }, now)
    : cancelledLate(own, counterpart, now);
}

/**
 * A VASP that its certificate proves may replace the hash, as tenants may: a transfer can be sent again with another fee. From
 * anybody else the first one counts, or a stranger could lead the record to other coins. Throws conflict.
 */
function withHash(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  txid: string,
  now: Date,
): PairChange {
  const isProven = (counterpart?.counterpartyEntityId ?? null) !== null;
  if (own.hashNormal === null || isProven)
    return patchMessage(own, counterpart, { transactionHash: txid }, now);
  if (own.hashNormal === hashFields(txid).hashNormal) return NO_CHANGE;
  throw new DomainError('conflict', 'This transfer has another transaction already.');
}

function cancelledLate(own: TransactionRecord, counterpart: TransactionRecord | null, now: Date): PairChange {
  const late = (record: TransactionRecord, notify: boolean) => ({
    after: { ...record, updatedAt: now },
    events: [
      {
        type: 'TRANSFER_CANCELED',
        message: 'The originator VASP says that the transfer does not take place.',
        actor: COUNTERPARTY,
      },
    ],
    notify,
    wakesWorkflow: false,
  });
  const personal = { ...own.personal, cancelledLateAt: now.toISOString() };
  return {
    own: late({ ...own, personal }, false),
    counterpart: counterpart && late(counterpart, true),
    forwarded: null,
  };
}
