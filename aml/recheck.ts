import { claimRow } from '../db/aml/claim-check.ts';
import { getCheck } from '../db/aml/find-check.ts';
import type { CheckRecord, DeliveredFinding } from '../domain/aml/check.ts';
import { ProviderFault, refusalOf } from '../domain/aml/fault.ts';
import { FRESH_MS } from '../domain/aml/lifetimes.ts';
import { analyse, requireProvider } from './analyse.ts';
import { askProvider, waitForRunningCheck } from './ask-provider.ts';
import type { Aml } from './open-aml.ts';

/**
 * Repeats a check of the history. If the provider can read a check again by its id, the entry is updated in place; an
 * entry without such an id is paid once more and gets one. With other providers a fresh request makes a new entry. Throws
 * DomainError.
 */
export async function recheck(
  aml: Aml,
  tenantId: string,
  id: string,
  createdBy: string,
): Promise<DeliveredFinding> {
  const check = await getCheck(aml.db, tenantId, id);
  const active = await requireProvider(aml, tenantId);
  if (active.provider !== check.provider || !aml.providers[check.provider].rereadIsFree) {
    const fetchedAfter = new Date(aml.now().getTime() - FRESH_MS);
    return await analyse(aml, tenantId, check.subject, { createdBy, fetchedAfter, recheckOf: id });
  }
  try {
    return await updateInPlace(aml, active, tenantId, check);
  } catch (error) {
    throw error instanceof ProviderFault ? refusalOf(error) : error;
  }
}

async function updateInPlace(
  aml: Aml,
  active: Awaited<ReturnType<typeof requireProvider>>,
  tenantId: string,
  { id, provider, subject }: CheckRecord,
): Promise<DeliveredFinding> {
  const claim = await claimRow(aml.db, { tenantId, id, provider, subject }, aml.now());
  if (claim.kind === 'ASK') {
    return await askProvider(aml, active, { id, tenantId, subject, reread: claim.reread });
  }
  const check =
    claim.kind === 'WAIT'
      ? await waitForRunningCheck(aml, tenantId, claim.id)
      : await getCheck(aml.db, tenantId, id);
  return { check, isCached: true, isStale: false, spent: 0 };
}
