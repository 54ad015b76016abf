import type { Aml } from '../aml/open-aml.ts';
import type { Database } from '../db/database.ts';
import { getCheck as getAmlCheck } from '../db/aml/find-check.ts';
import { getCheck as getWalletCheck } from '../db/wallet-intelligence/get-check.ts';
import type { ScreeningContext } from '../db/lifecycle/read-screening-context.ts';
import { DomainError } from '../domain/errors.ts';
import type { TransactionRecord } from '../domain/transactions/record.ts';
import { otherWallet, type TransactionScreening } from '../domain/transactions/deciding/screening.ts';
import type { SubjectScreener } from '../sanctions-index/screen-subjects.ts';
import type { WalletIntelligence } from '../wallet-intelligence/check-wallet.ts';
import {
  amlFinding,
  checkForAml,
  classifyByOwnData,
  observeWallet,
  walletFinding,
} from './wallet-findings.ts';

/** What the screening of a transaction takes from outside; api and worker have it both. */
export interface ScreeningDeps {
  db: Database;
  sanctions: SubjectScreener;
  aml: Aml;
  walletIntelligence: WalletIntelligence;
  /** Whether a node or an indexer of the blockchain is configured; querying it needs the network. */
  canObserve: (blockchainKey: string) => boolean;
  now: () => Date;
}

/**
 * Ids of the stored results of outside providers, null where none was checked, and the version of the record they are
 * for.
 */
export interface ProviderChecks {
  version: number;
  amlCheckId: string | null;
  walletCheckId: string | null;
  /** Set where no provider has answered in time: it was asked, and there is no result. */
  isUnanswered?: true;
}

/** The checks of a transfer whose providers have not answered. */
export function unansweredChecks({ version }: TransactionRecord): ProviderChecks {
  return { version, amlCheckId: null, walletCheckId: null, isUnanswered: true };
}

type GatheredFindings = Pick<TransactionScreening, 'aml' | 'wallet'>;

/** Whether the checks of the counterparty wallet need the network. */
export function needsNetwork(
  { aml, canObserve }: ScreeningDeps,
  record: TransactionRecord,
  { amlProvider }: ScreeningContext,
): boolean {
  const wallet = otherWallet(record);
  if (!wallet) return false;
  const provider = Object.values(aml.providers).find(({ code }) => code === amlProvider);
  return canObserve(wallet.blockchain) || (provider !== undefined && !provider.isOwnData);
}

/**
 * Queries the tenant's AML provider and the blockchain nodes. Their results are stored; the returned ids refer to
 * them. Null when the provider is unavailable or still working.
 */
export async function queryProviders(
  deps: ScreeningDeps,
  record: TransactionRecord,
): Promise<ProviderChecks | null> {
  const { tenantId, version } = record;
  const wallet = otherWallet(record);
  if (!wallet) return { version, amlCheckId: null, walletCheckId: null };
  try {
    const [check, classified] = await Promise.all([
      checkForAml(deps.aml, tenantId, wallet),
      observeWallet(deps.walletIntelligence, tenantId, wallet),
    ]);
    if (check?.finding.status === 'PENDING') return null;
    return { version, amlCheckId: check?.id ?? null, walletCheckId: classified?.id ?? null };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

interface FindingSources {
  context: ScreeningContext;
  checks: ProviderChecks | undefined;
  /** An earlier screening whose findings are still valid. */
  known: TransactionScreening | null;
}

/** The findings about the counterparty wallet, from stored results and own data; needs no network. */
export async function gatherFindings(
  deps: ScreeningDeps,
  record: TransactionRecord,
  { context, checks, known }: FindingSources,
): Promise<GatheredFindings> {
  if (known) return { aml: known.aml, wallet: known.wallet };
  return checks ? await readChecks(deps, record, checks) : await checkOwnData(deps, record, context);
}

async function checkOwnData(
  { aml, walletIntelligence }: ScreeningDeps,
  record: TransactionRecord,
  { amlProvider }: ScreeningContext,
): Promise<GatheredFindings> {
  const wallet = otherWallet(record);
  if (!wallet) return { aml: null, wallet: null };
  const { tenantId } = record;
  const [check, classified] = await Promise.all([
    amlProvider === null ? null : checkForAml(aml, tenantId, wallet),
    classifyByOwnData(walletIntelligence, tenantId, wallet),
  ]);
  return {
    aml: check && amlFinding(check, wallet.role),
    wallet: classified && walletFinding({ ...classified, id: null }),
  };
}

async function readChecks(
  { db }: ScreeningDeps,
  record: TransactionRecord,
  { amlCheckId, walletCheckId }: ProviderChecks,
): Promise<GatheredFindings> {
  const role = otherWallet(record)?.role ?? 'destination';
  const [check, classified] = await Promise.all([
    amlCheckId === null ? null : getAmlCheck(db, record.tenantId, amlCheckId),
    walletCheckId === null ? null : getWalletCheck(db, record.tenantId, walletCheckId),
  ]);
  return { aml: check && amlFinding(check, role), wallet: classified && walletFinding(classified) };
}
