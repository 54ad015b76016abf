import type { AmlSubject, AmlFinding } from '../domain/aml/finding.ts';
import type { ProviderCode } from '../domain/aml/service-key.ts';

/** What a provider said about a subject. */
export interface ProviderAnswer {
  finding: AmlFinding;
  /** The bytes of the answer as text; null where nothing was sent. */
  raw: string | null;
  /** The provider's own id of the check. */
  providerRef: string | null;
  credits: number;
  /** Words of the provider that nobody has mapped to a type yet. */
  gaps: readonly string[];
}

/** Who asks: the key as it was stored. */
interface ProviderAccount {
  tenantId: string;
  key: unknown;
}

/** One provider of AML checks. Every method throws ProviderFault, and never answers with a guess. */
export interface AmlProvider {
  readonly code: ProviderCode;
  /** Its answers come from this deployment's own data: nothing is sent or paid, and nothing kept for the next request. */
  readonly isOwnData: boolean;
  /** Its checks can be looked at again by their id without being paid again. */
  readonly rereadsFree: boolean;
  analyse(subject: AmlSubject, account: ProviderAccount): Promise<ProviderAnswer>;
  /** Looks again at a check that the provider knows by this id. */
  reread(reference: string, subject: AmlSubject, account: ProviderAccount): Promise<ProviderAnswer>;
}
