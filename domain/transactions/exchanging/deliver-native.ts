import { COUNTERPARTY, SYSTEM } from '../../events/actor.ts';
import { withoutVerdict } from '../announcement.ts';
import type { RecordChange } from '../change.ts';
import { ANSWER_MS } from '../deadlines.ts';
import { blankRecord } from '../new-transaction.ts';
import type { PersonalData, TransactionRecord } from '../record.ts';
import { addMs } from '../../durations.ts';

/** A wallet in the receiver's registry that matches the destination. */
export interface DestinationWallet {
  id: number;
  confirmed: boolean;
}

export interface DeliveryInput {
  incomingId: string;
  pairId: string;
  senderEntityId: string;
  /** A test VASP screens nothing. */
  receiver: { tenantId: string; entityId: string; isTest: boolean };
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
      messageSource: 'NATIVE',
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
        data: { network: 'NATIVE', entityId: receiver.entityId },
      },
    ],
    notify: true,
    wakesWorkflow: false,
  };
}

/**
 * The receiver's new record, still to be screened: decidedArrival applies the verdict where it is known at once.
 * Without a confirmed wallet it is sealed: its tenant sees no personal data until it confirms that it owns the
 * destination, and the record is screened then.
 */
export function receivedIncoming(outgoing: TransactionRecord, input: DeliveryInput): RecordChange {
  const { receiver, wallet, now } = input;
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
    counterpartyEntityId: input.senderEntityId,
    messageSource: 'NATIVE',
    pairId: input.pairId,
    deadlineAt: null,
    ...screeningOf({ isTest: receiver.isTest, sealed, now }),
    createdAt: now,
    updatedAt: now,
    personal: sentPersonal(outgoing.personal),
  };
  return { after: record, events: [receivedEvent(null, input)], notify: true, wakesWorkflow: false };
}

interface ArrivalFacts {
  isTest: boolean;
  sealed: boolean;
  now: Date;
}

function screeningOf({ isTest, sealed, now }: ArrivalFacts) {
  if (isTest) return { screeningState: null, screeningDueSince: null, wakeAt: null };
  return sealed ? { screeningDueSince: now, wakeAt: null } : withoutVerdict(now);
}

/** The personal data that is sent. Fields are named one by one, so that a field added later is not sent by accident. */
function sentPersonal(sent: PersonalData): PersonalData {
  const { originator, beneficiary, additionalOriginators, vaspInfo } = sent;
  const parties = { originator, beneficiary, additionalOriginators, vaspInfo };
  return { ...parties, metadata: null, internalNote: null, statusReasoning: null };
}

/** The event of a message that arrives. */
export function receivedEvent(previousStatus: string | null, { senderEntityId, wallet }: DeliveryInput) {
  return {
    type: 'RECEIVED',
    message: 'A message of the originator VASP arrived.',
    actor: COUNTERPARTY,
    previousStatus,
    newStatus: 'DELIVERED',
    data: { network: 'NATIVE', entityId: senderEntityId, walletId: wallet?.id ?? null },
  };
}
