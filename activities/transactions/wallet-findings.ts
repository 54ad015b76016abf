import { analyseWallet } from '../../aml/analyse.ts';
import type { Aml } from '../../aml/open-aml.ts';
import type { CheckRecord } from '../../domain/aml/check.ts';
import { severityOf } from '../../domain/aml/severity.ts';
import { DomainError } from '../../domain/errors.ts';
import type { WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import type { AmlFinding, OtherWallet, WalletFinding } from '../../domain/transactions/deciding/screening.ts';
import {
  checkWallet,
  examineWallet,
  type WalletIntelligence,
} from '../../wallet-intelligence/check-wallet.ts';

/** Null for a chain or an address of which nothing can be said. What nodes answered is kept in the history, own data is not. */
export async function classifyWallet(
  intelligence: WalletIntelligence,
  tenantId: string,
  { blockchain, address }: OtherWallet,
  isOutside: boolean,
): Promise<WalletCheck | null> {
  const classify = isOutside ? checkWallet : examineWallet;
  return await unlessUnknown(classify(intelligence, tenantId, { blockchain, address, heuristicOnly: false }));
}

/** What the tenant's AML provider says, fetched after this moment. Throws provider_error, provider_unavailable. */
export async function checkForAml(
  aml: Aml,
  tenantId: string,
  { blockchain, address }: OtherWallet,
  fetchedAfter: Date,
): Promise<CheckRecord | null> {
  const delivered = await unlessUnknown(
    analyseWallet(aml, tenantId, { blockchain, address }, { fetchedAfter }),
  );
  return delivered?.check ?? null;
}

async function unlessUnknown<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const isUnknown = error instanceof DomainError && UNKNOWN.has(error.code);
    if (!isUnknown) throw error;
    return null;
  }
}

/** A chain that nobody knows, or a provider that was switched off meanwhile. */
const UNKNOWN = new Set(['validation_failed', 'provider_not_activated']);

export function amlFinding(check: CheckRecord, role: OtherWallet['role']): AmlFinding {
  const { status, reason, riskScore, sanctioned, entity, exposures } = check.finding;
  const types = [...(entity ? [entity.type] : []), ...exposures.map(({ type }) => type)];
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

export function walletFinding(check: WalletCheck, isKept: boolean): WalletFinding {
  const { id, classification, confidence, source, reason, entity, agentic, checkedAt } = check;
  return {
    checkId: isKept ? id : null,
    classification,
    confidence,
    source,
    reason,
    entityName: entity?.name ?? null,
    agenticDetected: agentic.detected,
    checkedAt,
  };
}
