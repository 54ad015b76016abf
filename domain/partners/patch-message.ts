import { invalidField } from '../errors.ts';
import { COUNTERPARTY } from '../events/actor.ts';
import { followedBy, NO_CHANGE, type PairChange, type RecordChange } from '../transactions/change.ts';
import { confirmDestination } from '../transactions/exchanging/confirm-destination.ts';
import { patchTransaction } from '../transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import type { PatchPartnerTransactionBody } from './transaction-schema.ts';

/**
 * What a partner says of a message: that the destination belongs to its network, and then its answer; of its own message a
 * hash, data of the parties or the withdrawal. Throws what `patchTransaction` throws.
 */
export function patchMessage(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  { destinationConfirmed, ...patch }: PatchPartnerTransactionBody,
  now: Date,
): PairChange {
  if (own.direction === 'INCOMING') refuseParties(patch);
  if (!destinationConfirmed) return answer(own, counterpart, patch, now);
  if (own.direction === 'OUTGOING')
    throw invalidField(
      '/destinationConfirmed',
      'not_allowed',
      'the destination of an own message is not its own',
    );
  const isUnconfirmed = own.sealed || own.awaitsWallet;
  const confirmed = isUnconfirmed ? confirmDestination(own, counterpart, now) : NO_CHANGE;
  const answered = answer(
    confirmed.own?.after ?? own,
    confirmed.counterpart?.after ?? counterpart,
    patch,
    now,
  );
  return {
    ...answered,
    own: joined(confirmed.own, answered.own),
    counterpart: joined(confirmed.counterpart, answered.counterpart),
  };
}

type Answer = Omit<PatchPartnerTransactionBody, 'destinationConfirmed'>;

function answer(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  patch: Answer,
  now: Date,
): PairChange {
  return patchTransaction(own, counterpart, patch, { actor: COUNTERPARTY, now });
}

/** What the originator VASP says of the parties stays as it said it. */
function refuseParties(patch: Answer): void {
  const given = (['originator', 'beneficiary', 'additionalOriginators'] as const).filter(
    (part) => patch[part] !== undefined,
  );
  if (given[0]) throw invalidField(`/${given[0]}`, 'not_allowed', 'only allowed for an own message');
}

function joined(first: RecordChange | null, second: RecordChange | null): RecordChange | null {
  return first ? followedBy(first, second) : second;
}
