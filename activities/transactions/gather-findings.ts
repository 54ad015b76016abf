import type { Aml } from '../../aml/open-aml.ts';
import { getCheck as getAmlCheck } from '../../db/aml/find-check.ts';
import { getCheck as getWalletCheck } from '../../db/wallet-intelligence/get-check.ts';
import type { ScreeningContext } from '../../db/lifecycle/read-screening-context.ts';
import { DomainError } from '../../domain/errors.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { otherWallet, type TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import type { SubjectScreener } from '../../sanctions-index/screen-subjects.ts';
import type { WalletIntelligence } from '../../wallet-intelligence/check-wallet.ts';
import type { TransactionDeps } from './transaction-access.ts';
import { amlFinding, checkForAml, classifyWallet, walletFinding } from './wallet-findings.ts';

export interface ScreeningDeps extends TransactionDeps {
  sanctions: SubjectScreener;
  aml: Aml;
  walletIntelligence: WalletIntelligence;
  /** Whether a node or an indexer of the chain is configured: asking it leaves the house. */
  canObserve: (blockchainKey: string) => boolean;
}

/** The stored answers of what was asked outside, null where there was nothing to ask, and for which state of the record. */
export interface AskedProviders {
  version: number;
  amlCheckId: string | null;
  walletCheckId: string | null;
}

type GatheredFindings = Pick<TransactionScreening, 'aml' | 'wallet'>;

/** Whether asking about the wallet on the other side goes over the network. */
export function leavesHouse(
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
 * Asks the tenant's AML provider and the nodes of the chain; their answers are stored before they are told by their ids.
 * Null when the provider cannot be asked or is still at work.
 */
export async function askOutside(
  deps: ScreeningDeps,
  record: TransactionRecord,
): Promise<AskedProviders | null> {
  const { tenantId, version, screeningDueSince, createdAt } = record;
  const wallet = otherWallet(record);
  if (!wallet) return { version, amlCheckId: null, walletCheckId: null };
  try {
    const [check, classified] = await Promise.all([
      checkForAml(deps.aml, tenantId, wallet, screeningDueSince ?? createdAt),
      classifyWallet(deps.walletIntelligence, tenantId, wallet, true),
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
  asked: AskedProviders | undefined;
  /** An earlier screening whose findings still serve. */
  known: TransactionScreening | null;
}

/** What is known of the wallet on the other side; nothing here leaves the house. */
export async function gatherFindings(
  deps: ScreeningDeps,
  record: TransactionRecord,
  { context, asked, known }: FindingSources,
): Promise<GatheredFindings> {
  if (known) return { aml: known.aml, wallet: known.wallet };
  return asked ? await readAsked(deps, record, asked) : await askOwnData(deps, record, context);
}

async function askOwnData(
  { aml, walletIntelligence }: ScreeningDeps,
  record: TransactionRecord,
  { amlProvider }: ScreeningContext,
): Promise<GatheredFindings> {
  const wallet = otherWallet(record);
  if (!wallet) return { aml: null, wallet: null };
  const { tenantId, screeningDueSince, createdAt } = record;
  const [check, classified] = await Promise.all([
    amlProvider === null ? null : checkForAml(aml, tenantId, wallet, screeningDueSince ?? createdAt),
    classifyWallet(walletIntelligence, tenantId, wallet, false),
  ]);
  return {
    aml: check && amlFinding(check, wallet.role),
    wallet: classified && walletFinding(classified, false),
  };
}

async function readAsked(
  { db }: ScreeningDeps,
  record: TransactionRecord,
  { amlCheckId, walletCheckId }: AskedProviders,
): Promise<GatheredFindings> {
  const role = otherWallet(record)?.role ?? 'destination';
  const [check, classified] = await Promise.all([
    amlCheckId === null ? null : getAmlCheck(db, record.tenantId, amlCheckId),
    walletCheckId === null ? null : getWalletCheck(db, record.tenantId, walletCheckId),
  ]);
  return { aml: check && amlFinding(check, role), wallet: classified && walletFinding(classified, true) };
}
