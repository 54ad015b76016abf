import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../domain/errors.ts';
import {
  deliveredOutgoing,
  receivedIncoming,
  type DeliveryInput,
  type DestinationWallet,
} from '../../domain/transactions/exchanging/deliver-native.ts';
import { owedAnswer } from '../../domain/transactions/exchanging/answer-owed.ts';
import { completedIncoming } from '../../domain/transactions/exchanging/complete-own-record.ts';
import { relateRecords } from '../../domain/transactions/exchanging/relate-records.ts';
import { followedBy, type RecordChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { type Database } from '../database.ts';
import { messageSourceOf, type Gateway } from '../../domain/gateways/gateway.ts';
import { newId } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';
import { transactionTable, type OpenTransaction } from '../transactions/row.ts';
import type { TransactionWrite } from '../transactions/write-changes.ts';
import { detectWallet, findDestinationWallet } from '../wallets/match-wallet.ts';
import { provenOriginator } from './proven-originator.ts';
import { lockClaimedRecord, lockOwnRecordOf } from './same-transfer.ts';

/** What the delivery of a message writes, and what it was planned from. */
export interface ArrivalPlan {
  sent: TransactionRecord;
  parties: MessageParties;
  wallet: DestinationWallet | null;
  /** The receiver's own record that the message completes: it names the sender. */
  completed: OpenTransaction | null;
  /** The receiver's own record that names no sender and is only related with that of the message. */
  related: TransactionWrite | null;
  /** The receiver's record before the change: the completed one, or a new one with a key of its own. */
  open: OpenTransaction;
  delivered: RecordChange;
  received: RecordChange;
}

interface ArrivalInput {
  sent: TransactionRecord;
  receiverTenantId: string;
  /** Inserts a DETECTED wallet for a destination that the receiver does not know. */
  detects: boolean;
  now: Date;
  /** The beneficiary VASP, where the receiver is the gateway that stands for it. */
  outside?: OutsideReceiver;
  /** The claim that the message answers, where it comes from outside for that alone. */
  answers?: ClaimAnswer;
  /** Both tenants, where they have been read before. */
  parties?: MessageParties;
}

/** An answer of a VASP outside to a claim of the receiver. */
export interface ClaimAnswer {
  /** The asking side's record. */
  claim: ClaimRecord;
  /** The entity of the VASP that answers; null where nobody vouches for it. */
  entityId: string | null;
}

/** A VASP outside of this deployment, and the networks that do not reach it. */
export interface OutsideReceiver {
  entityId: string | null;
  skipped: readonly string[];
}

/** The receiver is suspended: the message may be tried again. Who has stopped it is nobody's business, as with a brake. */
export class ReceiverSuspended extends DomainError {
  constructor() {
    super('temporarily_unavailable', 'The message cannot be taken now; try again later.');
  }
}

/**
 * Plans the delivery of a message from what is stored now; locks the receiver's own record of the transfer. Throws
 * ReceiverSuspended.
 */
export async function planArrival(db: Database, tx: Queryable, input: ArrivalInput): Promise<ArrivalPlan> {
  const { sent, receiverTenantId, detects, answers, now } = input;
  const parties = input.parties ?? (await bothTenants(tx, sent.tenantId, receiverTenantId));
  const { sender, receiver } = parties;
  const isGateway = receiver.gateway !== null;
  if (receiver.suspended) throw new ReceiverSuspended();
  const senderEntityId = sender.entity_id ?? (await provenOriginator(tx, sender, { message: sent, answers }));
  const own = await lockOwn(db, tx, { receiverTenantId, message: sent, senderEntityId, answers });
  const completed = own?.fit === 'NAMED' ? own.open : null;
  const registered = await findDestinationWallet(tx, receiver.id, sent);
  // The wallets of a VASP outside are not known here: it says of each message whether the destination is its own.
  const isUnknown = registered === null && completed === null && detects && !isGateway;
  const wallet = isUnknown
    ? await detectWallet(tx, { tenantId: receiver.id, destination: sent, now })
    : registered;
  const delivery = {
    incomingId: newId(now),
    pairId: newId(now),
    sender: { entityId: senderEntityId, messageSource: messageSourceOf(sender) },
    receiver: {
      tenantId: receiver.id,
      entityId: receiver.entity_id ?? input.outside?.entityId ?? null,
      messageSource: messageSourceOf(receiver),
      screens: receiver.test_behaviour === null && !isGateway,
      skipped: input.outside?.skipped ?? [],
    },
    wallet,
    now,
  };
  const known = { sent, parties, wallet, completed };
  if (completed)
    return { ...known, related: null, open: completed, ...completion(completed.record, sent, delivery) };
  const { received, related } = arrival(sent, own?.open ?? null, delivery);
  const open = await newOpen(db, received.after);
  return { ...known, related, open, delivered: deliveredOutgoing(sent, delivery), received };
}

interface OwnSearch {
  receiverTenantId: string;
  message: TransactionRecord;
  senderEntityId: string | null;
  answers: ClaimAnswer | undefined;
}

/**
 * The receiver's own record of the transfer. A message for whose originator VASP nobody vouches completes none but the one for
 * which its receiver has asked it.
 */
async function lockOwn(
  db: Database,
  tx: Queryable,
  { receiverTenantId, message, senderEntityId, answers }: OwnSearch,
) {
  if (senderEntityId !== null)
    return await lockOwnRecordOf(db, tx, { receiverTenantId, message, senderEntityId, isOfSender: true });
  return answers && (await lockClaimedRecord(db, tx, answers.claim));
}

/** A message that completes the receiver's own record, and answers at once if that was decided before. */
function completion(own: TransactionRecord, sent: TransactionRecord, delivery: DeliveryInput) {
  const delivered = deliveredOutgoing(sent, delivery);
  const received = completedIncoming(own, sent, delivery);
  const answer = owedAnswer(received.after, delivered.after, delivery.now);
  return { delivered: followedBy(delivered, answer), received };
}

/** A message with a record of its own, related with the receiver's record that names no sender. */
function arrival(sent: TransactionRecord, own: OpenTransaction | null, delivery: DeliveryInput) {
  const received = receivedIncoming(sent, delivery);
  if (!own) return { received, related: null };
  const { now } = delivery;
  const relation = relateRecords(received.after, own.record, {
    isNamed: false,
    wasNamed: false,
    fills: false,
    now,
  });
  const related = relation.own && { open: own, change: relation.own, isNew: false, forwarded: null };
  return { received: followedBy(received, relation.message), related };
}

/** Whether two plans were made from the same records, as they stand with their screening, and the same wallet. */
export function isSameArrival(one: ArrivalPlan, other: ArrivalPlan): boolean {
  return isDeepStrictEqual(foundationOf(one), foundationOf(other));
}

function foundationOf({ sent, completed, related, wallet }: ArrivalPlan): unknown {
  const own = completed ?? related?.open;
  return {
    sent: screeningStateOf(sent),
    // Anchoring a record changes its head without a new version, and the anchor must not be overwritten.
    own: own && { ...screeningStateOf(own.record), headMac: own.record.headMac },
    isCompleted: completed !== null,
    wallet,
  };
}

/** A wake-up and a postponement change the screening of a record without a new version. */
function screeningStateOf({
  id,
  version,
  screeningState,
  screeningDueSince,
  wakeAt,
}: TransactionRecord): object {
  return { id, version, screeningState, screeningDueSince, wakeAt };
}

/** Gives a new record a key of its own. */
export async function newOpen(db: Database, record: TransactionRecord): Promise<OpenTransaction> {
  return transactionTable.withNewKey(record, await db.vault.tenantKeys(record.tenantId));
}

interface MessageParties {
  sender: PairTenant;
  receiver: PairTenant;
}

interface PairTenant {
  id: string;
  name: string;
  gateway: Gateway | null;
  /** Null for a gateway. */
  entity_id: string | null;
  test_behaviour: string | null;
  suspended: boolean;
}

async function bothTenants(tx: Queryable, senderId: string, receiverId: string): Promise<MessageParties> {
  const { rows } = await tx.query<PairTenant>({
    name: 'tenants-of-message',
    text: `select id, name, gateway, entity_id, test_behaviour, suspended_at is not null as suspended
           from tenants where id = any($1::uuid[])`,
    values: [[senderId, receiverId]],
  });
  const byId = (id: string) => {
    const tenant = rows.find((row) => row.id === id);
    if (!tenant) throw new Error('a tenant of the message is missing');
    return tenant;
  };
  return { sender: byId(senderId), receiver: byId(receiverId) };
}
