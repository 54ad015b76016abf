import type { Direction } from '../direction.ts';
import type { MISSING_FIELDS } from '../rules/missing-fields.ts';
import type { ClaimFailureCode, ClaimStatus } from './state.ts';

/** Data that a claim asks for, in the words of `missingFields`. */
export type RequestedField = (typeof MISSING_FIELDS)[number];

/** Names and free text, stored encrypted with the record's own key. */
interface ClaimPersonal {
  originatorVaspName: string | null;
  /** The mailbox of the originator VASP that the asking side knows. Absent in records from before claims went by e-mail. */
  originatorVaspEmail?: string | null;
  /** Mailboxes whose mail server has refused the mail with the link. */
  refusedMailboxes?: string[];
  beneficiaryVaspName: string | null;
  /** The customer of the asking side to whom the coins were sent, where that side has said it. */
  beneficiaryName: string | null;
  statusReasoning: string | null;
}

/** One side's record of a claim, decrypted: the demand for the missing data of a transfer that was received. */
export interface ClaimRecord {
  id: string;
  tenantId: string;
  /** OUTGOING: asked by the tenant, the beneficiary VASP. INCOMING: asked of it, the originator VASP. */
  direction: Direction;
  status: ClaimStatus;
  failureCode: ClaimFailureCode | null;
  asset: string;
  /** As sent; compared by `blockchainKey`. */
  blockchain: string;
  blockchainKey: string;
  transactionHash: string;
  hashNormal: string;
  origin: string | null;
  originNormal: string | null;
  originTag: string | null;
  destination: string;
  destinationNormal: string;
  destinationTag: string | null;
  requestedFields: RequestedField[];
  /** Of the asking side the INCOMING record that is completed, of the asked side the OUTGOING transaction that answers. */
  transactionId: string | null;
  originatorVaspEntityId: string | null;
  beneficiaryVaspEntityId: string | null;
  /** The network that carried the claim; null before. */
  messageSource: string | null;
  /** The record of the other side: that of a tenant, or of the gateway that stands for a VASP outside. */
  counterpartId: string | null;
  deliveryAttempts: number;
  deliveryStartedAt: Date | null;
  /** Of the asked side: whether its own transactions were looked through for the transfer. */
  lookedForTransfer: boolean;
  remindedAt: Date | null;
  /** When the asked side is reminded; null once it was. */
  remindAt: Date | null;
  deadlineAt: Date;
  /** When the workflow must read this record again; null when nothing is left to do. */
  wakeAt: Date | null;
  version: number;
  sequence: number;
  head: Buffer;
  /** The anchor of the head, which only a program with the master key can make. */
  headMac: Buffer | null;
  createdAt: Date;
  updatedAt: Date;
  /** When its data was erased: only the row and its log are left. */
  erasedAt: Date | null;
  personal: ClaimPersonal;
}
