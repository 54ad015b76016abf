import type { VerificationRecord } from './record.ts';
import { SOURCE_FLOWS } from './reuse.ts';
import type { ProofWarning } from './risk.ts';
import type { VerificationFlow } from './state.ts';

/** A VERIFIED verification of a wallet by the transfer's own tenant. */
export interface WalletProof {
  verificationId: string;
  /** When this tenant's verification succeeded. */
  verifiedAt: Date;
  /** When the owner gave the proof; with reuse the day of the original proof. */
  provenAt: Date;
  /** The possible flows of the proof; with reuse the tenant does not learn which one it was. */
  flows: readonly VerificationFlow[];
  customerIdentification: string | null;
  warnings: readonly ProofWarning[];
}

/** The proof that a verification gives to its tenant's transfers; null if it is none. */
export function proofOf(record: VerificationRecord): WalletProof | null {
  const { status, deletedAt, verifiedAt, flow, reuseResult } = record;
  if (status !== 'VERIFIED' || deletedAt || !verifiedAt) return null;
  return {
    verificationId: record.id,
    verifiedAt,
    provenAt: reuseResult ? new Date(`${reuseResult.verifiedAt}T00:00:00.000Z`) : verifiedAt,
    // The flow is known to the other tenant only: the proof counts where all possible flows would.
    flows: reuseResult ? SOURCE_FLOWS : flow ? [flow] : [],
    customerIdentification: record.personal.customerIdentification,
    warnings: reuseResult?.isUnbound ? [...record.warnings, 'UNBOUND_MESSAGE'] : record.warnings,
  };
}
