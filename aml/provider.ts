import type { AmlSubject, AmlFinding } from '../domain/aml/finding.ts';
import type { ProviderCode } from '../domain/aml/service-key.ts';

/** A provider's answer about a wallet or transaction. */
export interface ProviderAnswer {
  finding: AmlFinding;
  /** The bytes of the answer as text; null if no request was sent. */
  raw: string | null;
  /** The provider's own id of the check. */
  providerRef: string | null;
  credits: number;
  /** Terms of the provider that are not mapped to an entity type yet. */
  unmappedTerms: readonly string[];
}

/** The tenant's account at the provider, with the key as it was stored. */
interface ProviderAccount {
  tenantId: string;
  key: unknown;
}

/** One provider of AML checks. Every method throws ProviderFault, and never answers with a guess. */
export interface AmlProvider {
  readonly code: ProviderCode;
  /** The answers come from this deployment's own data: nothing is sent, paid or reused for the next request. */
  readonly isOwnData: boolean;
  /** A check can be read again by its id without a new payment. */
  readonly rereadIsFree: boolean;
  analyse(subject: AmlSubject, account: ProviderAccount): Promise<ProviderAnswer>;
  /** Reads a check again by the provider's id. */
  reread(reference: string, subject: AmlSubject, account: ProviderAccount): Promise<ProviderAnswer>;
}
