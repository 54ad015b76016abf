import type { Logger } from 'pino';
import type { Aml } from '../aml/open-aml.ts';
import type { Settings } from '../process/settings.ts';
import type { CachedKey } from '../db/api-keys/cached-key.ts';
import type { Database } from '../db/database.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import type { AdmittedProof, ArrivingProof } from '../db/verifications/admit-proofs.ts';
import type { GoodProof } from '../db/verifications/accept-proofs.ts';
import type { ChangedVerification } from '../db/verifications/change-verification.ts';
import type { CreateOutcome, CreateRequest } from '../db/transactions/create-transactions.ts';
import type { FiatPrice } from '../domain/transactions/fiat.ts';
import type { EndpointAnswer } from './middleware/send-answer.ts';
import type { ScreeningSettings } from '../domain/sanctions-screening/settings.ts';
import type { Role } from '../domain/tenants/role.ts';
import type { VirusScanner } from '../storage/clamd.ts';
import type { SubjectScreener } from '../sanctions-index/screen-subjects.ts';
import type { Storage } from '../storage/storage.ts';
import type { ImportSubject, ListUpdate } from '../workflows/contract.ts';
import type { ObserveWallet } from '../wallet-intelligence/observe-wallet.ts';
import type { RequestMetrics } from './middleware/measure-requests.ts';

/** What every request needs to know of the tenant that makes it. */
interface CallingTenant {
  name: string;
  email: string | null;
  /** The tenant's own entry in the entity directory. */
  entityId: string;
  /** Limits of its own, in requests per minute; 0 is off. */
  rateLimits: Partial<Record<LimitKind, number>>;
  /** How it screens, defaults filled in. */
  screening: ScreeningSettings;
  /** Whether it called any match a false positive. */
  hasSuppressions: boolean;
}

export interface TenantCaller {
  kind: 'API_KEY';
  tenantId: string;
  apiKeyId: string;
  role: Role;
  tenant: CallingTenant;
  /** Of a caller who was remembered instead of read for this request. */
  cachedKey?: CachedKey;
}
export interface OperatorCaller {
  kind: 'OPERATOR';
}
interface AnonymousCaller {
  kind: 'NONE';
}
/** Who is asking, by the `auth` of the endpoint. */
export interface CallerBy {
  TENANT: TenantCaller;
  OPERATOR: OperatorCaller;
  NONE: AnonymousCaller;
}
export type EndpointAuth = keyof CallerBy;
export type Caller = CallerBy[EndpointAuth];

/** The budgets per minute that an API key has; HOSTED is that of an address without one. */
export type LimitKind = 'READS' | 'WRITES' | 'SCREENING' | 'HOSTED';

/** What the answer of `/health/ready` needs; `degraded` names parts whose trouble leaves the API usable. */
export interface ReadyReport {
  checks: { database: boolean; migrations: boolean; masterKey: boolean };
  degraded: string[];
}

/** A request under an Idempotency-Key; `fingerprint` is the SHA-256 of method, path with query, and raw body. */
export interface IdempotentCall {
  tenantId: string;
  key: string;
  fingerprint: Buffer;
}

/** What the API takes from the outside; tests and processes each build their own. */
export interface Deps {
  log: Logger;
  settings: Settings;
  metrics: RequestMetrics;
  /** Refuses with `unauthenticated`, `key_expired`, `key_revoked` or `wrong_environment`. */
  authenticateTenant: (apiKey: string) => Promise<TenantCaller>;
  /** The cached caller of a key; its `cachedKey` must be verified before anything is answered. */
  recallTenant?: (apiKey: string) => TenantCaller | undefined;
  authenticateOperator: (operatorKey: string) => Promise<OperatorCaller>;
  /** Limits that differ from the settings for this caller's tenant; 0 switches one off. */
  limitsOf?: (caller: TenantCaller) => Partial<Record<LimitKind, number>>;
  /** Gives the kept answer of an earlier twin, or runs the effect; without it every request runs. */
  answerOnce?: (
    call: IdempotentCall,
    requestId: string,
    run: () => Promise<EndpointAnswer>,
  ) => Promise<EndpointAnswer>;
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
  /** What a wallet does on its chain; kept for some minutes. */
  observeWallet: ObserveWallet;
  /** The price of one unit from the table in memory; never asks the network. */
  priceOf: (asset: string) => FiatPrice | undefined;
  /** Tells the workflows of a change after its answer; what cannot be told now is told by the relay. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  /** Starts the import of an uploaded file, or joins it. Throws when the workflows cannot be reached. */
  startImport: (subject: ImportSubject) => Promise<void>;
  /** Starts the import of list files that an operator has sent. Throws as `startImport` does. */
  startListUpdate: (update: Required<ListUpdate>) => Promise<void>;
  /** How long a request waits for it; 150 s unless given. */
  listImportLimitMs?: number;
  /** How long a request waits for the import that it started; 25 s unless given. */
  importLimitMs?: number;
}
