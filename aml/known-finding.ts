import { findStored } from '../db/aml/find-check.ts';
import { newId } from '../db/new-id.ts';
import type { CheckRecord } from '../domain/aml/check.ts';
import { STALE_LIMIT_MS } from '../domain/aml/lifetimes.ts';
import { walletSubject } from '../domain/aml/subject.ts';
import type { Aml } from './open-aml.ts';

/** A provider's answer about a wallet. */
type KnownAnswer = Pick<CheckRecord, 'id' | 'provider' | 'finding' | 'fetchedAt'>;

interface KnownQuestion {
  tenantId: string;
  /** The code of the provider that the tenant has activated. */
  provider: string;
  wallet: { blockchain: string; address: string };
}

/**
 * What a provider is known to say of a wallet: own data, or an answer that would serve again. Sends, pays and stores nothing;
 * null where the provider would have to be asked. Throws validation_failed for an unknown chain.
 */
export async function knownAnswer(
  aml: Aml,
  { tenantId, provider: code, wallet }: KnownQuestion,
): Promise<KnownAnswer | null> {
  const provider = Object.values(aml.providers).find((each) => each.code === code);
  if (!provider) return null;
  const subject = walletSubject(wallet);
  const now = aml.now();
  if (provider.isOwnData) {
    const { finding } = await provider.analyse(subject, { tenantId, key: null });
    return { id: newId(now), provider: provider.code, finding, fetchedAt: now };
  }
  const since = new Date(now.getTime() - STALE_LIMIT_MS);
  const stored = await findStored(aml.db, { tenantId, provider: provider.code, subject, since });
  return stored && stored.expiresAt > now && stored.finding.status !== 'PENDING' ? stored : null;
}
