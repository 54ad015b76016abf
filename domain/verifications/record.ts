import type { ContractCheck } from './contract-check.ts';
import type { FailureCode, VerificationFlow, StepKind, StepStatus, VerificationStatus } from './state.ts';
import type { ProofWarning } from './risk.ts';
import type { StepDocuments } from './step-documents.ts';

export const MATCH_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type MatchLevel = (typeof MATCH_LEVELS)[number];
export const SUBJECT_TYPES = ['NATURAL', 'LEGAL'] as const;

interface ReusePolicy {
  minimumMatchLevel: MatchLevel;
  maxReuseAgeDays: number | null;
  /** Whether a text that is not bound to its verification is no acceptable proof; absent in requests of earlier versions. */
  requireBound?: boolean;
}

/** The claimed owner's type and the requirements for an earlier proof. The name is only in `reuseCode`, as a keyed hash. */
interface ReuseRequest {
  /** Null if the request names none, which only MEDIUM bears. */
  subjectType: (typeof SUBJECT_TYPES)[number] | null;
  policy: ReusePolicy;
}

/** How an earlier proof matched; nothing about the tenant that holds it. */
interface ReuseResult {
  matchLevel: MatchLevel;
  matchedAttributes: string[];
  policy: ReusePolicy;
  /** The day of the original proof, YYYY-MM-DD. */
  verifiedAt: string;
  /** The earlier proof is a text that is not bound to its verification. Never shown: it would tell the flow. */
  isUnbound?: boolean;
}

/** An additional step that was requested at the creation. */
export interface VerificationStep {
  id: string;
  kind: StepKind;
  status: StepStatus;
  autoConfirm: boolean;
  submittedAt: string | null;
  reviewedAt: string | null;
}

/** A challenge for the hosted page: accepted once, byte for byte, until it expires. */
export interface SignInText {
  text: string;
  issuedAt: string;
  expiresAt: string;
}

/** A declaration of ownership as it was shown, and the name that the owner typed below it. */
export interface OwnershipDeclaration {
  name: string;
  statement: string;
}

/** Names of people, free texts and proofs, stored encrypted with the record's own key. */
export interface VerificationPersonal {
  metadata: string | null;
  statusReasoning: string | null;
  customerIdentification: string | null;
  origin: string | null;
  redirectUrl: string | null;
  /** The accepted message; nothing of a rejected submission is stored. */
  message: string | null;
  signature: string | null;
  signIn: SignInText | null;
  /** What the owner declared on the hosted page; absent without a declaration there. */
  declaration?: OwnershipDeclaration;
  /** The contract wallet's confirmation of the signature; absent if a key made it. */
  contractCheck?: ContractCheck;
  /** The reviewer's reasons by step. */
  stepReasoning: Partial<Record<StepKind, string>>;
  /** Submitted documents by step; absent before the first. */
  stepPapers?: Partial<Record<StepKind, StepDocuments>>;
}

/** A tenant's verification of a self-hosted wallet, decrypted. Amounts are exact decimal strings. */
export interface VerificationRecord {
  id: string;
  tenantId: string;
  status: VerificationStatus;
  failureCode: FailureCode | null;
  flow: VerificationFlow | null;
  allowedFlows: VerificationFlow[];
  asset: string;
  /** The name as sent; compared by `blockchainKey`. */
  blockchain: string;
  blockchainKey: string;
  /** The address as sent; compared by `addressNormal`. */
  address: string;
  addressNormal: string;
  verifiedTransactionHash: string | null;
  verifiedAt: Date | null;
  riskScore: number;
  warnings: ProofWarning[];
  satoshiAmount: string | null;
  satoshiDepositAddress: string | null;
  satoshiDepositNormal: string | null;
  /**
   * The caller chose the amount of the satoshi test, or a deposit address that is not known to be the tenant's, or tried
   * the wallet often.
   */
  isSatoshiChosen: boolean;
  reuseRequest: ReuseRequest | null;
  /** Keyed hash of the name hash; null without `reuse`. */
  reuseCode: Buffer | null;
  reuseResult: ReuseResult | null;
  steps: VerificationStep[];
  /** Number of rejected proofs. */
  badTries: number;
  /** Incrementing it invalidates the previous link to the hosted page. */
  pageRevision: number;
  /** Whether the EXPIRES_SOON event was written. */
  reminded: boolean;
  expiresAt: Date;
  /** When the workflow must read this record again; null when no deadline is left. */
  wakeAt: Date | null;
  version: number;
  sequence: number;
  head: Buffer;
  /** The anchor of the head, which only a program with the master key can make; null until it is made. */
  headMac: Buffer | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  personal: VerificationPersonal;
}
