import type { Party } from '../parties/party.ts';
import type { RepairRequest } from './repair-request.ts';
import type { BlockedBy, HoldReason, RoutingFault, ScreeningState, Status, TransferStop } from './state.ts';
import type { Direction } from '../direction.ts';

export const REASON_CODES = [
  'UNKNOWN_ADDRESS',
  'NAME_MISMATCH',
  'MISSING_DATA',
  'INCOMPLETE_IDENTITY',
  'UNSUPPORTED_ASSET',
  'COMPLIANCE',
  'WRONG_VASP',
  'EXPIRED',
  'CANCELLED_BY_SENDER',
  'OTHER',
] as const;
type ReasonCode = (typeof REASON_CODES)[number];

/** What the beneficiary VASP did with the coins of a transfer. */
export const ASSETS_DISPOSITIONS = ['CREDITED', 'SUSPENDED', 'RETURNED', 'REJECTED'] as const;
type AssetsDisposition = (typeof ASSETS_DISPOSITIONS)[number];

export interface VaspInfo {
  beneficiaryVaspName: string | null;
  beneficiaryVaspEmail: string | null;
  beneficiaryVaspExtraInfo: string | null;
  /** Absent on records of earlier releases. */
  beneficiaryTravelAddress?: string | null;
  originatorVaspName: string | null;
  originatorVaspEmail: string | null;
}

/** One decision of a reviewer. */
export interface ReviewEntry {
  at: string;
  decision: 'PROCEED' | 'BLOCK';
  reason: string;
  /** The version of the transaction that the reviewer read; absent if not given. */
  version?: number | undefined;
  /** The version of the transaction that was decided on; absent on reviews of earlier releases. */
  recordVersion?: number;
  /** Why it was held, null where it was not; absent on reviews of earlier releases. */
  hold?: HoldReason | null;
  /** Set with UNSCREENED where the lists were searched all the same: a name was not read to its end. */
  isCompared?: true;
  /** The entity of the other VASP as it was known then, null where nobody was; absent on reviews of earlier releases. */
  vaspEntityId?: string | null;
  /** Set if a second reviewer had to agree. */
  proposal?: { by: string; screeningDueSince: string | null };
  /** Set once the failed transfer was tried again: it is screened like a new one, and what was released before does not count. */
  isVoid?: true;
}

/** What a message said, kept beside the tenant's own record that it completed. */
export interface ReceivedVersion {
  receivedAt: string;
  /** When the originator VASP withdrew the message. */
  takenBackAt: string | null;
  asset: string;
  amount: string | null;
  blockchainInfo: {
    blockchain: string | null;
    transactionHash: string | null;
    origin: string | null;
    originTag: string | null;
    destinationTag: string | null;
  };
  vaspInfo: VaspInfo;
  originator: Party | null;
  beneficiary: Party | null;
  additionalOriginators: Party[];
  originatorVasp?: Party;
  beneficiaryVasp?: Party;
  namesOtherVasp?: true;
  /** The fields that the record has from the message alone, named as in `changedFields`. */
  filled: string[];
}

/** UNTOLD: the other VASP may have the inquiry. ANSWERED: it has, and has answered it. TOLD: it knows of the withdrawal. */
export type WithdrawalStage = 'UNTOLD' | 'ANSWERED' | 'TOLD';

/** Names of people and free texts, stored encrypted with the record's own key. */
export interface PersonalData {
  originator: Party | null;
  beneficiary: Party | null;
  additionalOriginators: Party[];
  vaspInfo: VaspInfo;
  /** What the originator VASP says of itself beside its name. Only messages by TRP have it. */
  originatorVasp?: Party;
  /** What the originator VASP says of the beneficiary VASP, where that is more than the receiver's name. Only messages by TRP have it. */
  beneficiaryVasp?: Party;
  /** Set where `beneficiaryVasp` is another VASP than the receiver: a reviewer has to look at the message. */
  namesOtherVasp?: true;
  metadata: string | null;
  internalNote: string | null;
  statusReasoning: string | null;
  /** The reviewers' decisions and reasons. */
  reviews?: ReviewEntry[];
  /** Where the beneficiary VASP wants the coins, if it has approved another address than the destination. */
  approvedAddress?: string;
  /** Why the coins go without an answer of the beneficiary VASP. */
  sunriseReason?: string;
  /** The stopped message, perhaps of the sender of the tenant's own record, for which that was held once. */
  doubtedBy?: string;
  /** The held record of the transfer for which the tenant's own record waits on, though it names another VASP since. */
  stoppedBy?: string;
  /** Other names by which claims of the tenant ask the originator VASP, in its own record. */
  claimedVaspNames?: string[];
  /** Set on the tenant's own record that a message completed. */
  received?: ReceivedVersion;
  /** What the beneficiary VASP asks for, while `repairDeadlineAt` is set. */
  repair?: RepairRequest;
  /** The mailboxes that a mail server has refused since the message was last routed anew. */
  refusedMailboxes?: string[];
  /** Set on the record of the TRP gateway: when the originator VASP said that an answered transfer does not take place. */
  cancelledLateAt?: string;
  /** What is known of a withdrawn message whose inquiry by TRP was sent without an answer, as the log says it. */
  withdrawal?: WithdrawalStage;
  /** The travel address, and the VASP named with it, for which the message was last held. */
  heldTravelAddress?: { travelAddress: string; vaspName: string | null; at: string };
  /** Why the legal hold was set; only while it is on. */
  legalHoldReason?: string;
  /** Reasons for reading the deleted record: free text, so they are stored here and not in the events. */
  archiveReadings?: { at: string; reason: string }[];
}

/** One tenant's record of a transfer, decrypted. Amounts are exact decimal strings. */
export interface TransactionRecord {
  id: string;
  tenantId: string;
  direction: Direction;
  status: Status;
  statusReasonCode: ReasonCode | null;
  asset: string;
  amount: string | null;
  amountUsd: string | null;
  amountEur: string | null;
  blockchain: string | null;
  blockchainKey: string | null;
  transactionHash: string | null;
  hashNormal: string | null;
  origin: string | null;
  originNormal: string | null;
  originTag: string | null;
  originType: 'CUSTODIAL' | 'NON_CUSTODIAL';
  destination: string;
  destinationNormal: string;
  destinationTag: string | null;
  destinationType: 'CUSTODIAL' | 'NON_CUSTODIAL';
  destinationWalletId: number | null;
  isDestinationConfirmed: boolean | null;
  /** Personal data is hidden from this tenant until it confirms that the destination is its own. */
  sealed: boolean;
  /**
   * The originator changed the blockchain after delivery, and the tenant has not confirmed the destination there. Its
   * data stays visible.
   */
  awaitsWallet: boolean;
  /** The pending release: the destination wallet was confirmed, and the record is released shortly. */
  releaseId: string | null;
  /** Whether screening has cleared the record; null if the record is not screened. */
  screeningState: ScreeningState | null;
  /** Since when screening is due; if it takes too long, the record is held for review. */
  screeningDueSince: Date | null;
  /** What the screening needs from outside is missing; it is tried again. */
  isScreeningDelayed: boolean;
  /**
   * When the tenant is told of a record that has arrived, or was released, and still waits for its verdict; null when
   * there is nothing to announce.
   */
  announceAt: Date | null;
  /** Until when a rule lets the record wait; it is decided again then. */
  ruleWaitUntil: Date | null;
  /** Why the record needs a review before it continues. */
  hold: HoldReason | null;
  /** Who stopped the transfer. It stays stopped, whatever else changes. */
  blockedBy: BlockedBy | null;
  /** The hold on which the block was decided, on which a received message was declined, or at which the time was over. */
  blockedHold: HoldReason | null;
  /** What stands against the transfer of the tenant's own record by another of the tenant's records of that transfer. */
  transferStop: TransferStop | null;
  /** A transfer with a self-hosted wallet whose owner has to prove that it is theirs. */
  awaitsProof: boolean;
  /** While it awaits the proof: there is one, but its warnings bar it from confirming this transfer by itself. */
  isProofDoubted: boolean;
  /** Why an unsent message has not left. */
  routingFault: RoutingFault | null;
  /** The brake for whose end the unsent message waits. */
  pausedBy: string | null;
  /** When labels first gave the destination to another institution than the tenant that had registered it. */
  addressDisputedAt: Date | null;
  /** When a delivered message had been without an answer for too long. */
  expiredAt: Date | null;
  /** What the tenant has done with the coins that it received; null until it says so. */
  assetsDisposition: AssetsDisposition | null;
  /** The transfer that returned the coins; set only with RETURNED. */
  returnTransactionHash: string | null;
  /** When the tenant decided that the coins go without an answer of the beneficiary VASP. */
  sunriseOverrideAt: Date | null;
  /** The end of the time in which the originator VASP gives data that it was asked for; null when nothing is asked. */
  repairDeadlineAt: Date | null;
  /** The transaction, cancelled by a rule, that this one resubmits. */
  resubmissionOf: string | null;
  /** The tenant's other record of the same transfer: its own one, or that of a message. */
  relatedTransactionId: string | null;
  /** Since when a legal hold keeps the record beyond its retention. */
  legalHoldAt: Date | null;
  reference: string | null;
  counterpartyEntityId: string | null;
  messageSource: string | null;
  pairId: string | null;
  deliveryAttempts: number;
  deliveryStartedAt: Date | null;
  /** When the record expires. */
  deadlineAt: Date | null;
  /** When the workflow must read this record again; null when nothing is left to do. */
  wakeAt: Date | null;
  version: number;
  sequence: number;
  head: Buffer;
  /** The anchor of the head, which only a program with the master key can make; null until it is made. */
  headMac: Buffer | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  personal: PersonalData;
}
