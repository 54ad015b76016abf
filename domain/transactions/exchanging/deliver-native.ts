import { COUNTERPARTY, SYSTEM } from '../../events/actor.ts';
import { withoutVerdict } from '../announcement.ts';
import type { EventDraft } from '../../events/event.ts';
import type { RecordChange } from '../change.ts';
import { ANSWER_MS } from '../deadlines.ts';
import { blankRecord } from '../new-transaction.ts';
import type { PersonalData, TransactionRecord } from '../record.ts';
import { addMs } from '../../durations.ts';
import { saidOfVasps } from './received-version.ts';

/** A wallet in the receiver's registry that matches the destination. */
export interface DestinationWallet {
  id: number;
  confirmed: boolean;
}

export interface DeliveryInput {
  incomingId: string;
  pairId: string;
  sender: {
    /** Null where nobody vouches for the originator VASP that a message from outside names. */
    entityId: string | null;
    /** The channel as the receiver's record shows it. */
    messageSource: string;
  };
  receiver: {
    tenantId: string;
    /** Null for a VASP outside of this deployment that is in no directory. */
    entityId: string | null;
    /** The channel as the sender's record shows it. */
    messageSource: string;
    /** A test VASP and a gateway screen nothing. */
    screens: boolean;
    /** The networks that come before this one, and why they do not reach the VASP. */
    skipped: readonly string[];
  };
  wallet: DestinationWallet | null;
  now: Date;
}

/** The originator VASP's record after its message has reached a tenant of this deployment. */
export function deliveredOutgoing(
  outgoing: TransactionRecord,
  { receiver, pairId, now }: DeliveryInput,
): RecordChange {
  return {
    after: {
      ...outgoing,
      status: 'DELIVERED',
      routingFault: null,
      counterpartyEntityId: receiver.entityId,
      messageSource: receiver.messageSource,
      pairId,
      deadlineAt: addMs(now, ANSWER_MS),
      wakeAt: addMs(now, ANSWER_MS),
      updatedAt: now,
    },
    events: [
      {
        type: 'DELIVERED',
        message: 'The message reached the beneficiary VASP.',
        actor: SYSTEM,
        previousStatus: outgoing.status,
        newStatus: 'DELIVERED',
        data: deliveredData(receiver),
      },
    ],
    notify: true,
    wakesWorkflow: false,
  };
}

function deliveredData({
  messageSource,
  entityId,
  skipped,
}: DeliveryInput['receiver']): NonNullable<EventDraft['data']> {
  return { network: messageSource, entityId, ...(skipped.length > 0 && { skipped: [...skipped] }) };
}

/**
 * The receiver's new record, still to be screened: decidedArrival applies the verdict where it is known at once.
 * Without a confirmed wallet it is sealed: its tenant sees no personal data until it confirms that it owns the
 * destination, and the record is screened then.
 */
export function receivedIncoming(outgoing: TransactionRecord, input: DeliveryInput): RecordChange {
  const { sender, receiver, wallet, now } = input;
  const sealed = !wallet?.confirmed;
  const record: TransactionRecord = {
    ...outgoing,
    ...blankRecord,
    id: input.incomingId,
    tenantId: receiver.tenantId,
    direction: 'INCOMING',
    status: 'DELIVERED',
    reference: null,
    destinationWalletId: wallet?.id ?? null,
    isDestinationConfirmed: !sealed,
    sealed,
    counterpartyEntityId: sender.entityId,
    messageSource: sender.messageSource,
    pairId: input.pairId,
    deadlineAt: null,
    ...screeningOf({ screens: receiver.screens, sealed, now }),
    createdAt: now,
    updatedAt: now,
    personal: sentPersonal(outgoing.personal),
  };
  return { after: record, events: [receivedEvent(null, input)], notify: true, wakesWorkflow: false };
}

interface ArrivalFacts {
  screens: boolean;
  sealed: boolean;
  now: Date;
}

function screeningOf({ screens, sealed, now }: ArrivalFacts) {
  if (!screens) return { screeningState: null, screeningDueSince: null, wakeAt: null };
  return sealed ? { screeningDueSince: now, wakeAt: null } : withoutVerdict(now);
}

/** The personal data that is sent. Fields are named one by one, so that a field added later is not sent by accident. */
function sentPersonal(sent: PersonalData): PersonalData {
  const { originator, beneficiary, additionalOriginators, vaspInfo } = sent;
  const parties = { originator, beneficiary, additionalOriginators, vaspInfo };
  return {
    ...parties,
    ...saidOfVasps(sent),
    metadata: null,
    internalNote: null,
    statusReasoning: null,
  };
}

/** The event of a message that arrives. */
export function receivedEvent(previousStatus: string | null, { sender, wallet }: DeliveryInput) {
  return {
    type: 'RECEIVED',
    message: 'A message of the originator VASP arrived.',
    actor: COUNTERPARTY,
    previousStatus,
    newStatus: 'DELIVERED',
    data: { network: sender.messageSource, entityId: sender.entityId, walletId: wallet?.id ?? null },
  };
}
