import type { Party } from '../parties/party.ts';
import type { ScreeningState, HoldReason, Status, SubStatus } from './state.ts';
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

export interface VaspInfo {
  beneficiaryVaspName: string | null;
  beneficiaryVaspEmail: string | null;
  beneficiaryVaspExtraInfo: string | null;
  originatorVaspName: string | null;
  originatorVaspEmail: string | null;
}

/** What a reviewer said. */
export interface ReviewEntry {
  at: string;
  decision: 'PROCEED' | 'BLOCK';
  reason: string;
  /** It waits for a second reviewer as long as the record is held for what it was held for then. */
  proposal?: { by: string; hold: HoldReason; screeningDueSince: string | null };
}

/** What names people or is free text: stored sealed with the record's own key. */
export interface PersonalData {
  originator: Party | null;
  beneficiary: Party | null;
  additionalOriginators: Party[];
  vaspInfo: VaspInfo;
  metadata: string | null;
  internalNote: string | null;
  statusReasoning: string | null;
  /** What reviewers decided and why, in their own words. */
  reviews?: ReviewEntry[];
  /** Why the deleted record was read: free text, so it is kept here and not in the events. */
  archiveReadings?: { at: string; reason: string }[];
}

/** One tenant's record of a transfer, opened. Amounts are exact decimal texts. */
export interface TransactionRecord {
  id: string;
  tenantId: string;
  direction: Direction;
  status: Status;
  subStatus: SubStatus | null;
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
  /** Its destination wallet was confirmed, but log, webhook and search do not say so yet: the release that brings them. */
  releaseId: string | null;
  /** Whether it may go on; null where nothing is to be decided. */
  screeningState: ScreeningState | null;
  /** Since when it is DUE; where that takes too long a person has to look. */
  screeningDueSince: Date | null;
  /** Why a reviewer has to look at it first. */
  hold: HoldReason | null;
  /** The transfer that a rule had ended, which this one takes up again. */
  resubmissionOf: string | null;
  reference: string | null;
  counterpartyEntityId: string | null;
  messageSource: string | null;
  pairId: string | null;
  deliveryAttempts: number;
  deliveryStartedAt: Date | null;
  /** When the process gives up waiting for what it waits for. */
  deadlineAt: Date | null;
  /** When somebody must look at this record again; null when nothing is left to do. */
  wakeAt: Date | null;
  version: number;
  sequence: number;
  head: Buffer;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  personal: PersonalData;
}
