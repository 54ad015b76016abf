import type { Logger } from 'pino';
import { openQuestions } from '../address-questions/open-questions.ts';
import { openAml } from '../aml/open-aml.ts';
import { sendsMails, type Settings } from '../process/settings.ts';
import { registerDatabaseMetrics } from '../process/database-metrics.ts';
import { registerIndexMetric } from '../process/index-metric.ts';
import { apiKeyAuthenticator } from '../db/api-keys/authenticate-api-key.ts';
import { partnerAuthenticator } from '../db/partners/authenticate-partner.ts';
import { userAuthenticator } from '../db/users/authenticate-user.ts';
import type { Database } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';
import { transactionCreator } from '../db/transactions/create-transactions.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import { proofAcceptor } from '../db/verifications/accept-proofs.ts';
import { proofAdmission } from '../db/verifications/admit-proofs.ts';
import type { FiatPrice } from '../domain/transactions/fiat.ts';
import { subjectScreener } from '../sanctions-index/screen-subjects.ts';
import type { SanctionsScreener } from '../sanctions-index/open-screener.ts';
import { openScanner, openStorage } from '../storage/open-storage.ts';
import { arrivalJudge } from '../transaction-screening/judge-arrival.ts';
import { preflight } from '../transaction-screening/preflight.ts';
import { immediateReleaser } from '../transaction-screening/release-at-once.ts';
import type { ReleaseDeps } from '../transaction-screening/release-records.ts';
import { requestJudge, requestScreener } from '../transaction-screening/screen-in-request.ts';
import { canObserve, openObserver } from '../wallet-intelligence/observe-wallet.ts';
import { openAuditLog } from './audit-log.ts';
import { passwordHashing } from './password-hashing.ts';
import type { Deps, ReadyReport } from './deps.ts';
import { operatorAuthenticator } from './authenticate-operator.ts';
import { rememberAnswer } from '../process/remember-answer.ts';
import { onceAnswerer } from './middleware/answer-once.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { readTurns } from './read-turns.ts';
import { writeTurns } from './write-turns.ts';

export interface DepsInput {
  settings: Settings;
  log: Logger;
  metrics: RequestMetrics;
  db: Database;
  screener: SanctionsScreener;
  priceOf: (asset: string) => FiatPrice | undefined;
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  startImport: Deps['startImport'];
  startListUpdate: Deps['startListUpdate'];
  readQueues: Deps['readQueues'];
  /** How long a request waits for verdicts of lists and providers; what takes longer is done after the answer. */
  screeningLimitMs: number;
  /** Names the parts that have failed without making the API unusable. */
  degraded: () => Promise<string[]>;
}

/** Shorter than the three minutes of silence after which the server closes a connection. */
const LIST_IMPORT_LIMIT_MS = 150_000;
/** How long an answer about readiness serves, since anybody may ask and each costs the database several statements. */
const READINESS_MS = 1_000;

/** Builds the dependencies of the endpoints from the real database, storage, providers and chains. */
export function createDeps({ degraded, screener, screeningLimitMs, ...parts }: DepsInput): Deps {
  const { settings, db, log, metrics } = parts;
  registerDatabaseMetrics(metrics.registry, db.pool);
  registerIndexMetric(metrics.registry, screener);
  const apiKeys = apiKeyAuthenticator(db, settings.ENVIRONMENT);
  const subjects = subjectScreener(db, screener);
  const observeWallet = openObserver(settings.chains);
  const aml = openAml({
    settings,
    db,
    onTrouble: (trouble) => log.warn(trouble, 'an AML provider failed or used unmapped terms'),
  });
  const writeInTurn = writeTurns(db.pool);
  const readInTurn = readTurns(db.pool);
  const screening = {
    db,
    sanctions: subjects,
    aml,
    walletIntelligence: { db, observeWallet },
    canObserve: canObserve(settings.chains),
    notifyWorkflows: parts.notifyWorkflows,
    writeInTurn,
    report: (step, error) => log.error({ step, error }, 'a step failed; a workflow takes it up'),
    now: () => new Date(),
  } satisfies ReleaseDeps;
  return {
    ...parts,
    audit: openAuditLog(db, log),
    storage: openStorage(settings),
    scanner: openScanner(settings),
    aml,
    authenticateTenant: apiKeys.authenticate,
    authenticateUser: userAuthenticator(db),
    passwords: passwordHashing(),
    writeInTurn,
    readInTurn,
    recallTenant: apiKeys.cachedCaller,
    partners: partnerAuthenticator(db, settings.ENVIRONMENT),
    authenticateOperator: operatorAuthenticator(settings),
    answerOnce: onceAnswerer({ db, writeInTurn }),
    requestHashes: (plain) => db.vault.versionedHashes('request', plain.toString('hex')),
    createTransaction: transactionCreator(db),
    admitProof: proofAdmission(db),
    acceptProof: proofAcceptor(db),
    subjects,
    observeWallet,
    screenInRequest: requestScreener(screening, screeningLimitMs),
    preflight: async (open) =>
      await preflight({ ...screening, readInTurn, sendsMails: sendsMails(settings) }, open),
    judgeArrival: arrivalJudge(screening, screeningLimitMs),
    addressQuestions: openQuestions(settings, screening),
    releaseAtOnce: immediateReleaser(screening, screeningLimitMs),
    judgeInRequest: requestJudge(screening, screeningLimitMs),
    isReady: rememberAnswer(READINESS_MS, async () => await readiness(db, degraded)),
    importLimitMs: 25_000,
    listImportLimitMs: LIST_IMPORT_LIMIT_MS,
    reportLimitMs: 25_000,
  };
}

async function readiness(db: Database, degraded: () => Promise<string[]>): Promise<ReadyReport> {
  try {
    const migrations = await isMigrated(async (sql) => await db.pool.query(sql));
    return { checks: { database: true, migrations, masterKey: true }, degraded: await degraded() };
  } catch {
    // Whatever the database error is, requests should go to another process; the pool logs the error itself.
    return { checks: { database: false, migrations: false, masterKey: true }, degraded: [] };
  }
}
