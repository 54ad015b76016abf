import { COUNTERPARTY, SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { Party } from '../../parties/party.ts';
import type { RecordChange } from '../change.ts';
import { changedFields } from '../changed-fields.ts';
import type { ReceivedVersion, TransactionRecord } from '../record.ts';
import { markForScreening } from '../screening-due.ts';
import { isFinal } from '../state.ts';
import { filledParty, isReceivedReviewed, isSomebodyElse, partyDifferences } from './received-version.ts';
import { withoutFilled } from './complete-own-record.ts';

/**
 * The sender's record with what its beneficiary VASP says of the beneficiary. What the tenant has said itself stays: the other
 * VASP's version stands beside it, and both are screened. It fills what the record lacks; if it names somebody else it fills
 * nothing and holds the record for a review. Null where it says nothing new, or the record is decided. What it has said before is
 * new where the tenant has named somebody else since.
 */
export function withBeneficiarySaid(record: TransactionRecord, said: Party, now: Date): RecordChange | null {
  const earlier = record.personal.received?.beneficiary ?? null;
  const version: Party = { ...earlier, ...said };
  const own = withoutFilled(record);
  const isHeld = record.hold === null && isSomebodyElse(own.personal.beneficiary, version);
  const isKnown = saysNothingNew(record, version) && !(isHeld && !isReceivedReviewed(record));
  if (isFinal(record.status) || isKnown) return null;
  const filled: TransactionRecord = {
    ...own,
    updatedAt: now,
    personal: { ...own.personal, beneficiary: filledBy(own.personal.beneficiary, version) },
  };
  const received = beneficiaryVersion(record, version, { filled: changedFields(own, filled), now });
  const differing = partyDifferences('/beneficiary', own.personal.beneficiary, version);
  const after: TransactionRecord = {
    ...filled,
    ...(isHeld && { hold: 'COUNTERPARTY' }),
    personal: { ...filled.personal, received },
  };
  const isScreened = record.screeningState !== null;
  return {
    after: isScreened ? markForScreening(after, now) : after,
    events: [...saidEvents(changedFields(record, after), differing), ...(isHeld ? [heldEvent(record)] : [])],
    notify: true,
    wakesWorkflow: isScreened,
  };
}

/** Whether the record, or what was said before, has all of it. */
function saysNothingNew({ personal }: TransactionRecord, version: Party): boolean {
  const known = new Map<string, unknown>(
    Object.entries({ ...personal.beneficiary, ...personal.received?.beneficiary }),
  );
  return Object.entries(version).every(
    ([field, value]) => JSON.stringify(known.get(field)) === JSON.stringify(value),
  );
}

/** The same name in another order fills no name, and keeps nothing else from being filled. */
function filledBy(own: Party | null, version: Party): Party | null {
  if (isSomebodyElse(own, version)) return own;
  const { name: _name, firstName: _firstName, lastName: _lastName, ...unnamed } = version;
  const isSpelledOtherwise = partyDifferences('', own, version).some((pointer) => /name$/i.test(pointer));
  return filledParty(own, isSpelledOtherwise ? unnamed : version);
}

/** What a beneficiary VASP says of its customer, as it is kept beside the tenant's data: of the rest it says nothing. */
function beneficiaryVersion(
  { asset }: TransactionRecord,
  beneficiary: Party,
  { filled, now }: { filled: string[]; now: Date },
): ReceivedVersion {
  return {
    receivedAt: now.toISOString(),
    takenBackAt: null,
    asset,
    amount: null,
    blockchainInfo: {
      blockchain: null,
      transactionHash: null,
      origin: null,
      originTag: null,
      destinationTag: null,
    },
    vaspInfo: {
      beneficiaryVaspName: null,
      beneficiaryVaspEmail: null,
      beneficiaryVaspExtraInfo: null,
      originatorVaspName: null,
      originatorVaspEmail: null,
    },
    originator: null,
    beneficiary,
    additionalOriginators: [],
    filled,
  };
}

/** What changes in the tenant's own data, and what is said otherwise; that all is said alike is told as well. */
function saidEvents(filled: string[], differing: string[]): EventDraft[] {
  const filledEvent: EventDraft = {
    type: 'DATA_UPDATED',
    message: 'The beneficiary VASP gave data of the beneficiary; it fills what the tenant has not given.',
    actor: COUNTERPARTY,
    data: { fields: filled },
  };
  if (differing.length === 0) return [filledEvent];
  return [...(filled.length > 0 ? [filledEvent] : []), differsEvent(differing)];
}

/** Names the fields alone: the values are personal data. */
function differsEvent(pointers: string[]): EventDraft {
  return {
    type: 'BENEFICIARY_DIFFERS',
    message: 'The beneficiary VASP says otherwise of the beneficiary; it stands beside the own data.',
    actor: COUNTERPARTY,
    data: { fields: pointers.map((pointer) => pointer.slice(1).replace('/', '.')) },
  };
}

function heldEvent({ status }: TransactionRecord): EventDraft {
  return {
    type: 'HELD',
    message: 'Held for review: the beneficiary VASP names somebody else as the beneficiary.',
    actor: SYSTEM,
    previousStatus: status,
    newStatus: status,
    data: { hold: 'COUNTERPARTY' },
  };
}
