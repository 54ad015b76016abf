import { findOwnKnowledge } from '../db/aml/own-knowledge.ts';
import type { Database } from '../db/database.ts';
import { judgeOwnKnowledge } from '../domain/aml/builtin-score.ts';
import { nothingKnown, type AmlSubject, type AmlFinding } from '../domain/aml/finding.ts';
import type { AmlProvider, ProviderAnswer } from './provider.ts';

/** The provider for tenants without a contract: published labels, sanctioned wallets and the tenant's own registry. */
export function builtinProvider(db: Database): AmlProvider {
  async function find(subject: AmlSubject, tenantId: string): Promise<AmlFinding> {
    const address = subject.kind === 'wallet' ? subject.value : subject.contextAddress;
    // Own data is stored by address; the addresses of a transaction hash are on the chain only.
    if (address === null) return nothingKnown('ADDRESS_NEEDED');
    return judgeOwnKnowledge(await findOwnKnowledge(db.pool, tenantId, subject, address));
  }

  const analyse = async (
    subject: AmlSubject,
    { tenantId }: { tenantId: string },
  ): Promise<ProviderAnswer> => ({
    finding: await find(subject, tenantId),
    raw: null,
    providerRef: null,
    credits: 0,
    unmappedTerms: [],
  });

  return {
    code: 'builtin',
    isOwnData: true,
    rereadIsFree: false,
    analyse,
    reread: async (_reference, subject, account) => await analyse(subject, account),
  };
}
