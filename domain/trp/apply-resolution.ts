import { normalAddress } from '../address.ts';
import { COUNTERPARTY, SYSTEM } from '../events/actor.ts';
import type { EventDraft } from '../events/event.ts';
import { patchMessage } from '../partners/patch-message.ts';
import { followedBy, NO_CHANGE, type PairChange, type RecordChange } from '../transactions/change.ts';
import { REASON_CODES, type TransactionRecord } from '../transactions/record.ts';
import { markForLists } from '../transactions/screening-due.ts';
import { isFinal } from '../transactions/state.ts';
import type { TrpResolution } from './messages.ts';
import { reasonCodeIn } from './write-answers.ts';

/**
 * The answer of a beneficiary VASP to the message that it has by TRP: `own` is the gateway's record. An approval of another
 * address than the message names is a confirmation that a reviewer has to look at: the coins would go elsewhere.
 */
export function applyResolution(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  { approved, rejected }: TrpResolution,
  now: Date,
): PairChange {
  if (isFinal(own.status)) return NO_CHANGE;
  if (typeof rejected === 'string') {
    const statusReasonCode = reasonCodeIn(rejected, REASON_CODES);
    const told = rejected === '' ? {} : { statusReasoning: rejected };
    return patchMessage(own, counterpart, { status: 'DECLINED', statusReasonCode, ...told }, now);
  }
  if (!approved) return NO_CHANGE;
  const change = patchMessage(own, counterpart, { destinationConfirmed: true, status: 'CONFIRMED' }, now);
  if (isDestination(own, approved.address) || !change.counterpart) return change;
  return { ...change, counterpart: heldForAddress(change.counterpart, approved.address.trim(), now) };
}

function isDestination({ blockchain, destinationNormal }: TransactionRecord, address: string): boolean {
  const given = normalAddress(blockchain, address.trim());
  return given.ok && given.normal === destinationNormal;
}

/** The sender's record with the other address, which is compared with the lists before anybody decides. */
function heldForAddress(change: RecordChange, approvedAddress: string, now: Date): RecordChange {
  const { after } = change;
  const { status, personal } = after;
  const events: EventDraft[] = [
    {
      type: 'ADDRESS_DIFFERS',
      message: 'The beneficiary VASP has approved another address than the destination of the message.',
      actor: COUNTERPARTY,
    },
    {
      type: 'HELD',
      message: 'Held for review: the approved address is not the destination.',
      actor: SYSTEM,
      previousStatus: status,
      newStatus: status,
      data: { hold: 'COUNTERPARTY' },
    },
  ];
  // A match in the lists counts for more: only a review that has seen it may lift it.
  const hold = after.hold ?? 'COUNTERPARTY';
  const held: RecordChange = {
    after: {
      ...markForLists(after, now),
      hold,
      isDestinationConfirmed: false,
      updatedAt: now,
      personal: { ...personal, approvedAddress },
    },
    events,
    notify: true,
    wakesWorkflow: true,
  };
  return followedBy(change, held);
}
