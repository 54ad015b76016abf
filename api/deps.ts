import type { Logger } from 'pino';
import type { Aml } from '../aml/open-aml.ts';
import type { Settings } from '../process/settings.ts';
import type { Database } from '../db/database.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import type { AdmittedProof, ArrivingProof } from '../db/verifications/admit-proofs.ts';
import type { GoodProof } from '../db/verifications/accept-proofs.ts';
import type { ChangedVerification } from '../db/verifications/change-verification.ts';
import type { CreateOutcome, CreateRequest } from '../db/transactions/create-transactions.ts';
import type { FiatPrice } from '../domain/transactions/fiat.ts';
import type { VirusScanner } from '../storage/clamd.ts';
import type { SubjectScreener } from '../sanctions-index/screen-subjects.ts';
import type { Storage } from '../storage/storage.ts';
import type { ImportSubject, ListUpdate } from '../workflows/contract.ts';
import type { ScreenInRequest } from '../transaction-screening/screen-in-request.ts';
import type { ObserveWallet } from '../wallet-intelligence/observe-wallet.ts';
import type { OperatorCaller, TenantCaller } from './caller.ts';
import type { KeyedRequest } from './idempotency.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { EndpointAnswer } from './send-answer.ts';

/** What the answer of `/health/ready` needs; `degraded` names parts whose trouble leaves the API usable. */
export interface ReadyReport {
  checks: { database: boolean; migrations: boolean; masterKey: boolean };
  degraded: string[];
}

/** What the API takes from the outside; tests and processes each build their own. */
export interface Deps {
  log: Logger;
  settings: Settings;
  metrics: RequestMetrics;
  /** Refuses with `unauthenticated`, `key_expired`, `key_revoked` or `wrong_environment`. */
  authenticateTenant: (apiKey: string) => Promise<TenantCaller>;
  /** The cached caller of a key; its `cachedKey` must be verified before anything is answered. */
  recallTenant: (apiKey: string) => TenantCaller | undefined;
  authenticateOperator: (operatorKey: string) => Promise<OperatorCaller>;
  /** Gives the kept answer of an earlier request under the same Idempotency-Key, or runs this one and keeps its answer. */
  answerOnce: (request: KeyedRequest) => Promise<EndpointAnswer>;
  isReady: () => Promise<ReadyReport>;
  db: Database;
  storage: Storage;
  /** AML checks through the tenants' providers. */
  aml: Aml;
  /** Looks for viruses in files that arrive; without one they are taken unscanned. */
  scanner: VirusScanner | undefined;
  createTransaction: (request: CreateRequest) => Promise<CreateOutcome>;
  /** Reads the record of a proof and counts the proof. */
  admitProof: (proof: ArrivingProof) => Promise<AdmittedProof>;
  /** Writes an accepted signature; null where that is to be decided under the lock of the record. */
  acceptProof: (proof: GoodProof) => Promise<ChangedVerification | null>;
  /** Screens against the active sanctions lists. */
  subjects: SubjectScreener;
  /** Screens a transaction that is to be confirmed while its screening is due; takes two seconds at most. */
  screenInRequest: ScreenInRequest;
  /** What a wallet does on its chain; kept for some minutes. */
  observeWallet: ObserveWallet;
  /** The price of one unit from the table in memory; never asks the network. */
  priceOf: (asset: string) => FiatPrice | undefined;
  /** Starts or signals the workflows of a change after its answer. What fails falls due for the relay of the worker. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  /** Starts the import of an uploaded file, or joins it. Throws when the workflows cannot be reached. */
  startImport: (subject: ImportSubject) => Promise<void>;
  /** Starts the import of list files that an operator has sent. Throws as `startImport` does. */
  startListUpdate: (update: Required<ListUpdate>) => Promise<void>;
  /** How long a request waits for the import of wallets that it started. */
  importLimitMs: number;
  /** How long a request waits for the import of a list that it started. */
  listImportLimitMs: number;
}
