import { COUNTERPARTY, SYSTEM } from '../../events/actor.ts';
import type { RecordChange } from '../change.ts';
import { answered } from './carry-over.ts';
import { ANSWER_MS } from '../deadlines.ts';
import { blankRecord } from '../new-transaction.ts';
import type { PersonalData, TransactionRecord, VaspInfo } from '../record.ts';
import { isSelfHosted } from '../self-hosted/self-hosted-wallet.ts';
import { isFinal } from '../state.ts';
import { addMs } from '../../durations.ts';

/** A wallet in the receiver's registry that matches the destination. */
export interface DestinationWallet {
  id: number;
  confirmed: boolean;
}

interface DeliveryInput {
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
 * destination.
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
    ...(receiver.isTest ? UNSCREENED : { ...screenedAt(now), isScreeningDelayed: !sealed }),
    createdAt: now,
    updatedAt: now,
    personal: sentPersonal(outgoing.personal),
  };
  return { after: record, events: [receivedEvent(null, input)], notify: true, wakesWorkflow: false };
}

const UNSCREENED = { screeningState: null, screeningDueSince: null, wakeAt: null } as const;

function screenedAt(now: Date) {
  return { screeningState: 'DUE', screeningDueSince: now, wakeAt: now } as const;
}

/** The personal data that is sent. Fields are named one by one, so that a field added later is not sent by accident. */
function sentPersonal(sent: PersonalData): PersonalData {
  const { originator, beneficiary, additionalOriginators, vaspInfo } = sent;
  const parties = { originator, beneficiary, additionalOriginators, vaspInfo };
  return { ...parties, metadata: null, internalNote: null, statusReasoning: null };
}

function receivedEvent(previousStatus: string | null, { senderEntityId, wallet }: DeliveryInput) {
  return {
    type: 'RECEIVED',
    message: 'A message of the originator VASP arrived.',
    actor: COUNTERPARTY,
    previousStatus,
    newStatus: 'DELIVERED',
    data: { network: 'NATIVE', entityId: senderEntityId, walletId: wallet?.id ?? null },
  };
}

/**
 * The receiver's own record, completed by a message for the same chain, hash and destination: it takes the sent data,
 * keeps its own where nothing was sent, is never sealed, and keeps a decision already made.
 */
export function completedIncoming(
  own: TransactionRecord,
  outgoing: TransactionRecord,
  input: DeliveryInput,
): RecordChange {
  const decided = isFinal(own.status);
  const status = decided ? own.status : 'DELIVERED';
  return {
    after: {
      ...own,
      ...amountsOf(own, outgoing),
      status,
      awaitsProof: false,
      origin: outgoing.origin ?? own.origin,
      originNormal: outgoing.originNormal ?? own.originNormal,
      destinationWalletId: input.wallet?.id ?? null,
      isDestinationConfirmed: input.wallet?.confirmed ?? null,
      counterpartyEntityId: input.senderEntityId,
      messageSource: 'NATIVE',
      pairId: input.pairId,
      ...(decided ? { wakeAt: null } : { ...screenedAt(input.now), isScreeningDelayed: true }),
      updatedAt: input.now,
      personal: completedPersonal(own.personal, outgoing.personal),
    },
    events: [{ ...receivedEvent(own.status, input), newStatus: status }],
    notify: true,
    // A deposit that waited for a proof of its wallet has a workflow, which ends: a VASP has answered for the wallet.
    wakesWorkflow: isSelfHosted(own),
  };
}

/** The tenant's own amount takes precedence; fiat values come from the same record as the amount. */
function amountsOf(own: TransactionRecord, outgoing: TransactionRecord) {
  const unvalued = own.amountUsd === null && own.amountEur === null;
  const source = own.amount === null || (unvalued && own.amount === outgoing.amount) ? outgoing : own;
  return { amount: source.amount, amountUsd: source.amountUsd, amountEur: source.amountEur };
}

function completedPersonal(own: PersonalData, sent: PersonalData): PersonalData {
  const named = Object.entries(sent.vaspInfo).filter(([, value]) => value !== null);
  const several = sent.additionalOriginators.length > 0;
  return {
    ...own,
    originator: sent.originator ?? own.originator,
    beneficiary: sent.beneficiary ?? own.beneficiary,
    additionalOriginators: several ? sent.additionalOriginators : own.additionalOriginators,
    vaspInfo: { ...own.vaspInfo, ...(Object.fromEntries(named) as Partial<VaspInfo>) },
  };
}

/** The sender's record if the receiver's was already decided: the message is delivered and answered at once. */
export function answeredOutgoing(delivered: RecordChange, decided: TransactionRecord): RecordChange {
  return {
    ...delivered,
    after: answered(delivered.after, decided),
    events: [
      ...delivered.events,
      {
        type: 'STATUS_CHANGED',
        message: 'The counterparty had already decided on this transfer.',
        actor: COUNTERPARTY,
        previousStatus: 'DELIVERED',
        newStatus: decided.status,
        basis: { kind: 'COUNTERPARTY' },
      },
    ],
  };
}
