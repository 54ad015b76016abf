import type { Logger } from 'pino';
import type { AddressQuestions } from '../address-questions/open-questions.ts';
import type { Aml } from '../aml/open-aml.ts';
import type { Settings } from '../process/settings.ts';
import type { Database } from '../db/database.ts';
import type { InTurn } from '../db/fair-turns.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import type { PartnerAuthenticator } from '../db/partners/authenticate-partner.ts';
import type { UserAuthenticator } from '../db/users/authenticate-user.ts';
import type { AdmittedProof, ArrivingProof } from '../db/verifications/admit-proofs.ts';
import type { GoodProof } from '../db/verifications/accept-proofs.ts';
import type { ChangedVerification } from '../db/verifications/change-verification.ts';
import type { CreateOutcome, CreateRequest } from '../db/transactions/create-transactions.ts';
import type { OpenTransaction } from '../db/transactions/row.ts';
import type { JudgeArrival } from '../db/lifecycle/deliver-native.ts';
import type { Preflight } from '../domain/transactions/preflight/preflight.ts';
import type { FiatPrice } from '../domain/transactions/fiat.ts';
import type { VirusScanner } from '../storage/clamd.ts';
import type { SubjectScreener } from '../sanctions-index/screen-subjects.ts';
import type { Storage } from '../storage/storage.ts';
import type { ImportSubject, ListUpdate } from '../workflows/contract.ts';
import type { ReleaseAtOnce } from '../transaction-screening/release-at-once.ts';
import type { JudgeInRequest, ScreenInRequest } from '../transaction-screening/screen-in-request.ts';
import type { ObserveWallet } from '../wallet-intelligence/observe-wallet.ts';
import type { OperatorCaller, TenantCaller } from './caller.ts';
import type { AuditLog } from './audit-log.ts';
import type { PasswordHashing } from './password-hashing.ts';
import type { KeyedRequest } from './idempotency.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { WorkerQueue } from './read-queues.ts';
import type { EndpointAnswer } from './send-answer.ts';

/** The result of the readiness check; `degraded` names the parts that have failed without making the API unusable. */
export interface ReadyReport {
  checks: { database: boolean; migrations: boolean; masterKey: boolean };
  degraded: string[];
}

/** The dependencies of the endpoints. The api process and the tests each build their own. */
export interface Deps {
  log: Logger;
  settings: Settings;
  metrics: RequestMetrics;
  /** Reads the tenant of an API key. Throws unauthenticated, key_expired, key_revoked, wrong_environment. */
  authenticateTenant: (apiKey: string) => Promise<TenantCaller>;
  /** Returns the cached caller of a key. Its `cachedKey` must be verified before the request is answered. */
  recallTenant: (apiKey: string) => TenantCaller | undefined;
  authenticateUser: UserAuthenticator;
  /** Hashes and checks passwords. Throws rate_limited when too many wait. */
  passwords: PasswordHashing;
  /** Runs a database transaction of a caller when it may have a connection. Throws temporarily_unavailable. */
  writeInTurn: InTurn;
  /** Runs a reading of a tenant or partner when it has not too many under way. Throws temporarily_unavailable. */
  readInTurn: InTurn;
  partners: PartnerAuthenticator;
  /** Finds the operator of a key. Throws unauthenticated. */
  authenticateOperator: (operatorKey: string) => OperatorCaller;
  /** Runs a request and stores its answer, or returns the stored one if its Idempotency-Key was used before. */
  answerOnce: (request: KeyedRequest) => Promise<EndpointAnswer>;
  /** Keyed hashes of a request by its plain hash: the one that is stored, and those of earlier keys. */
  requestHashes: (plain: Buffer) => [current: Buffer, ...earlier: Buffer[]];
  isReady: () => Promise<ReadyReport>;
  /** Reads the task queues and their workers from Temporal; null while it does not answer. */
  readQueues: () => Promise<WorkerQueue[] | null>;
  db: Database;
  /** Writes what the audit log has of requests. */
  audit: AuditLog;
  storage: Storage;
  /** Runs AML checks with the tenants' providers. */
  aml: Aml;
  /** Scans uploaded files for viruses. Undefined without CLAMD_URL: files are then accepted unscanned. */
  scanner: VirusScanner | undefined;
  createTransaction: (request: CreateRequest) => Promise<CreateOutcome>;
  /** Reads the verification that a proof is for, and counts the proof as an attempt. */
  admitProof: (proof: ArrivingProof) => Promise<AdmittedProof>;
  /** Stores an accepted signature proof. Returns null if it has to be decided with the verification locked. */
  acceptProof: (proof: GoodProof) => Promise<ChangedVerification | null>;
  /** Screens names and addresses against the active sanctions lists. */
  subjects: SubjectScreener;
  /** Screens a transaction that is to be confirmed while its screening is due; takes two seconds at most. */
  screenInRequest: ScreenInRequest;
  /** What a transfer would meet if it were created now. Stores nothing. */
  preflight: (open: OpenTransaction) => Promise<Preflight>;
  /** Makes the receiver's verdict on a message before it is delivered. */
  judgeArrival: JudgeArrival;
  /** Asks tenants at their endpoints whether an address is theirs. */
  addressQuestions: AddressQuestions;
  /** Releases the transactions of a wallet that was just confirmed; takes two seconds at most. */
  releaseAtOnce: ReleaseAtOnce;
  /** Judges a transaction as a request would leave it, before that is stored; takes two seconds at most. */
  judgeInRequest: JudgeInRequest;
  /** Reads what a wallet does on its chain; results are cached for some minutes. */
  observeWallet: ObserveWallet;
  /** Returns the price of one unit of an asset from memory, without a network call. */
  priceOf: (asset: string) => FiatPrice | undefined;
  /** Starts or signals the workflows of outbox rows after the answer. The worker's outbox relay retries failures. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  /** Starts the import of an uploaded file, or joins a running one. Throws if Temporal cannot be reached. */
  startImport: (subject: ImportSubject) => Promise<void>;
  /** Starts the import of list files that an operator has uploaded. Throws if Temporal cannot be reached. */
  startListUpdate: (update: Required<ListUpdate>) => Promise<void>;
  /** Maximum time, in milliseconds, that a request waits for its import of wallets. */
  importLimitMs: number;
  /** Maximum time, in milliseconds, that a request waits for its import of a sanctions list. */
  listImportLimitMs: number;
  /** Maximum time, in milliseconds, that a request waits for its report. */
  reportLimitMs: number;
}
