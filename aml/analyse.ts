import { findActiveProvider, type ActiveProvider } from '../db/aml/service-keys.ts';
import { claimCheck, type CheckRequest } from '../db/aml/claim-check.ts';
import { insertOwnCheck } from '../db/aml/insert-own-check.ts';
import { findStored, openCheck } from '../db/aml/find-check.ts';
import type { DeliveredFinding } from '../domain/aml/check.ts';
import { notActivated, ProviderFault, refusalOf } from '../domain/aml/fault.ts';
import { STALE_LIMIT_MS } from '../domain/aml/lifetimes.ts';
import { transactionSubject, walletSubject, type TransactionCheckInput } from '../domain/aml/subject.ts';
import type { AmlSubject } from '../domain/aml/finding.ts';
import { askProvider, waitForRunningCheck } from './ask-provider.ts';
import type { Aml } from './open-aml.ts';

/** Options of a check. */
export interface CheckOptions {
  /** Id of the API key that requests the check; null for the service itself. */
  createdBy?: string | null;
  /** Return an expired answer while the provider cannot be reached; never where a fresh fact is required. */
  acceptStale?: boolean;
  /** Stored answers count only when they were fetched after this moment. */
  fetchedAfter?: Date;
  recheckOf?: string;
}

/**
 * Checks a wallet with the tenant's provider and stores the finding. Simultaneous callers share one request. Throws
 * DomainError validation_failed, provider_not_activated, provider_error, provider_unavailable.
 */
export async function analyseWallet(
  aml: Aml,
  tenantId: string,
  wallet: { blockchain: string; address: string },
  options: CheckOptions = {},
): Promise<DeliveredFinding> {
  return await analyse(aml, tenantId, walletSubject(wallet), options);
}

/** Like `analyseWallet`, but for a transaction. */
export async function analyseTransaction(
  aml: Aml,
  tenantId: string,
  transaction: TransactionCheckInput,
  options: CheckOptions = {},
): Promise<DeliveredFinding> {
  return await analyse(aml, tenantId, transactionSubject(transaction), options);
}

/** Returns the provider that the tenant has activated. Throws provider_not_activated. */
export async function requireProvider(aml: Aml, tenantId: string): Promise<ActiveProvider> {
  const active = await findActiveProvider(aml.db, tenantId, 'aml_check');
  if (!active) throw notActivated();
  return active;
}

/** Checks a wallet or transaction with the tenant's provider. Throws DomainError. */
export async function analyse(
  aml: Aml,
  tenantId: string,
  subject: AmlSubject,
  options: CheckOptions,
): Promise<DeliveredFinding> {
  const active = await requireProvider(aml, tenantId);
  const { createdBy = null, fetchedAfter, recheckOf } = options;
  const request = { tenantId, provider: active.provider, subject, createdBy, fetchedAfter, recheckOf };
  if (aml.providers[active.provider].isOwnData) return await answerFromOwnData(aml, request);
  try {
    return await deliver(aml, active, request);
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    const stale = options.acceptStale && error.code === 'RESTING' ? await findStale(aml, request) : undefined;
    if (stale) return stale;
    throw refusalOf(error);
  }
}

/** Own data costs nothing, so no check has to be claimed: the present finding is stored and returned. */
async function answerFromOwnData(aml: Aml, request: CheckRequest): Promise<DeliveredFinding> {
  const { tenantId, provider, subject } = request;
  const { finding } = await aml.providers[provider].analyse(subject, { tenantId, key: null });
  const check = await insertOwnCheck(aml.db, request, finding, aml.now());
  return { check, isCached: false, isStale: false, spent: 0 };
}

async function deliver(aml: Aml, active: ActiveProvider, request: CheckRequest): Promise<DeliveredFinding> {
  const claim = await claimCheck(aml.db, request, aml.now());
  switch (claim.kind) {
    case 'STORED':
      return cached(await openCheck(aml.db, claim.row));
    case 'FAILED':
      throw new ProviderFault(claim.fault);
    case 'WAIT':
      return cached(await waitForRunningCheck(aml, request.tenantId, claim.id));
    case 'ASK':
      return await askProvider(aml, active, { ...claim, ...request });
  }
}

function cached(check: DeliveredFinding['check']): DeliveredFinding {
  return { check, isCached: true, isStale: false, spent: 0 };
}

async function findStale(
  aml: Aml,
  { tenantId, provider, subject }: CheckRequest,
): Promise<DeliveredFinding | undefined> {
  const since = new Date(aml.now().getTime() - STALE_LIMIT_MS);
  const check = await findStored(aml.db, { tenantId, provider, subject, since });
  return check && { ...cached(check), isStale: true };
}
