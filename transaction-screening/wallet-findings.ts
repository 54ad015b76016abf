import { analyseWallet } from '../aml/analyse.ts';
import { knownAnswer } from '../aml/known-finding.ts';
import type { Aml } from '../aml/open-aml.ts';
import type { CheckRecord } from '../domain/aml/check.ts';
import { severityOf } from '../domain/aml/severity.ts';
import { DomainError } from '../domain/errors.ts';
import { checkedWallet } from '../domain/wallet-intelligence/check.ts';
import type { WalletCheck } from '../domain/wallet-intelligence/schema.ts';
import type {
  TransactionAmlFinding,
  OtherWallet,
  WalletFinding,
} from '../domain/transactions/deciding/screening.ts';
import { checkWallet, examineWallet, type WalletIntelligence } from '../wallet-intelligence/check-wallet.ts';

/**
 * Classifies a wallet with blockchain nodes and stores the check in the tenant's history. Null for a blockchain or an
 * address that cannot be classified.
 */
export async function observeWallet(
  intelligence: WalletIntelligence,
  tenantId: string,
  { blockchain, address }: OtherWallet,
): Promise<WalletCheck | null> {
  return await unlessUnknown(
    checkWallet(intelligence, tenantId, { blockchain, address, heuristicOnly: false }),
  );
}

/** Like observeWallet, from own data alone and without storing the check. */
export async function classifyByOwnData(
  intelligence: WalletIntelligence,
  tenantId: string,
  { blockchain, address }: OtherWallet,
): Promise<WalletCheck | null> {
  return await unlessUnknown(
    examineWallet(intelligence, tenantId, { blockchain, address, heuristicOnly: false }),
  );
}

/**
 * Asks the blockchain nodes about a wallet; what is returned answers the questions about it by that, without asking anybody. Null for a
 * blockchain or an address that cannot be classified.
 */
export async function observeBefore(
  { db, observeWallet: observe }: WalletIntelligence,
  tenantId: string,
  { blockchain, address }: OtherWallet,
): Promise<WalletIntelligence | null> {
  const input = { blockchain, address, heuristicOnly: false };
  const observed = await unlessUnknown((async () => await observe(tenantId, checkedWallet(input)))());
  return observed && { db, observeWallet: async () => await Promise.resolve(observed) };
}

/**
 * The check of the tenant's AML provider; an earlier one that has not expired serves again. Null for an unknown
 * blockchain or without a provider. Throws provider_error, provider_unavailable.
 */
export async function checkForAml(
  aml: Aml,
  tenantId: string,
  { blockchain, address }: OtherWallet,
): Promise<CheckRecord | null> {
  const delivered = await unlessUnknown(analyseWallet(aml, tenantId, { blockchain, address }));
  return delivered?.check ?? null;
}

/**
 * The finding of the tenant's AML provider as far as it is known without asking anybody. Null for an unknown blockchain, and
 * where the provider would have to be asked.
 */
export async function knownAmlFinding(
  aml: Aml,
  tenantId: string,
  provider: string,
  wallet: OtherWallet,
): Promise<TransactionAmlFinding | null> {
  const answer = await unlessUnknown(knownAnswer(aml, { tenantId, provider, wallet }));
  return answer && amlFinding(answer, wallet.role);
}

async function unlessUnknown<T>(check: Promise<T>): Promise<T | null> {
  try {
    return await check;
  } catch (error) {
    const isUnknown = error instanceof DomainError && UNKNOWN.has(error.code);
    if (!isUnknown) throw error;
    return null;
  }
}

/** Errors of an unknown blockchain, or of a provider that was deactivated meanwhile. */
const UNKNOWN = new Set(['validation_failed', 'provider_not_activated']);

type AnsweredCheck = Pick<CheckRecord, 'id' | 'provider' | 'finding' | 'fetchedAt'>;

/** The finding of an AML check. */
export function amlFinding(check: AnsweredCheck, role: OtherWallet['role']): TransactionAmlFinding {
  const { status, reason, riskScore, sanctioned, entity, counterparty, exposures } = check.finding;
  const parties = [entity, counterparty, ...exposures];
  const types = parties.flatMap((party) => party?.type ?? []);
  return {
    checkId: check.id,
    role,
    provider: check.provider,
    status,
    reason,
    riskScore,
    riskSeverity: severityOf(riskScore),
    sanctioned,
    categories: [...new Set(types)],
    fetchedAt: check.fetchedAt.toISOString(),
  };
}

/** The finding of a check; `id` is null for a check that is not stored. */
export function walletFinding(check: Omit<WalletCheck, 'id'> & { id: string | null }): WalletFinding {
  const { id, classification, confidence, source, reason, entity, agentic, checkedAt } = check;
  return {
    checkId: id,
    classification,
    confidence,
    source,
    reason,
    entityName: entity?.name ?? null,
    agenticDetected: agentic.detected,
    checkedAt,
  };
}
