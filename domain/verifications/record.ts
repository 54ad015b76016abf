import type { ContractCheck } from './contract-check.ts';
import type { FailureCode, Flow, StepKind, StepStatus, VerificationStatus } from './state.ts';
import type { ProofWarning } from './risk.ts';
import type { StepPapers } from './step-documents.ts';

export const MATCH_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type MatchLevel = (typeof MATCH_LEVELS)[number];
export const SUBJECT_TYPES = ['NATURAL', 'LEGAL'] as const;

interface ReusePolicy {
  minimumMatchLevel: MatchLevel;
  maxReuseAgeDays: number | null;
}

/** Whose wallet it is said to be and what earlier proof would do. The name itself is only in `reuseCode`, keyed. */
interface ReuseRequest {
  subjectType: (typeof SUBJECT_TYPES)[number];
  policy: ReusePolicy;
}

/** What an earlier proof was accepted for; nothing about who holds it. */
interface ReuseResult {
  matchLevel: MatchLevel;
  matchedAttributes: string[];
  policy: ReusePolicy;
  /** The day of the original proof, YYYY-MM-DD. */
  verifiedAt: string;
}

/** A further step that was asked for at the creation. */
export interface VerificationStep {
  id: string;
  kind: StepKind;
  status: StepStatus;
  autoConfirm: boolean;
  submittedAt: string | null;
  reviewedAt: string | null;
}

/** A text that the service made for the hosted page to be signed: accepted once, byte for byte, while its time lasts. */
export interface SignInText {
  text: string;
  issuedAt: string;
  expiresAt: string;
}

/** What names people, is free text or is a proof: stored sealed with the record's own key. */
export interface VerificationPersonal {
  metadata: string | null;
  statusReasoning: string | null;
  customerIdentification: string | null;
  origin: string | null;
  redirectUrl: string | null;
  /** The accepted ones; of a rejected submission nothing is kept. */
  message: string | null;
  signature: string | null;
  signIn: SignInText | null;
  /** What a contract wallet was asked about the signature; absent where a key made it. */
  contractCheck?: ContractCheck;
  /** What a reviewer said about a step. */
  stepReasoning: Partial<Record<StepKind, string>>;
  /** What was given for each step; absent before anything was. */
  stepPapers?: Partial<Record<StepKind, StepPapers>>;
}

/** A tenant's verification of a self-hosted wallet, opened. Amounts are exact decimal texts. */
export interface VerificationRecord {
  id: string;
  tenantId: string;
  status: VerificationStatus;
  failureCode: FailureCode | null;
  flow: Flow | null;
  allowedFlows: Flow[];
  asset: string;
  /** As sent; compared by `blockchainKey`. */
  blockchain: string;
  blockchainKey: string;
  /** As sent; compared by `addressNormal`. */
  address: string;
  addressNormal: string;
  verifiedTransactionHash: string | null;
  verifiedAt: Date | null;
  riskScore: number;
  warnings: ProofWarning[];
  satoshiAmount: string | null;
  satoshiDepositAddress: string | null;
  satoshiDepositNormal: string | null;
  reuseRequest: ReuseRequest | null;
  /** Keyed hash of the name hash; null without `reuse`. */
  reuseCode: Buffer | null;
  reuseResult: ReuseResult | null;
  steps: VerificationStep[];
  /** Rejected proofs so far. */
  badTries: number;
  /** A new number makes the old address of the hosted page worthless. */
  pageRevision: number;
  /** The log says already that the time is nearly over. */
  reminded: boolean;
  expiresAt: Date;
  /** When somebody must look at this record again; null when time decides nothing any more. */
  wakeAt: Date | null;
  version: number;
  sequence: number;
  head: Buffer;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  personal: VerificationPersonal;
}
