import type { VerificationRecord } from './record.ts';
import { SOURCE_FLOWS } from './reuse.ts';
import type { ProofWarning } from './risk.ts';
import type { Flow } from './state.ts';

/** A VERIFIED verification of the wallet by the transfer's own tenant. */
export interface WalletProof {
  verificationId: string;
  /** When this tenant's verification succeeded. */
  verifiedAt: Date;
  /** When the owner proved it; with reuse the day of the original proof. */
  provenAt: Date;
  /** In which of these ways; with reuse the tenant is not told which one it was. */
  flows: readonly Flow[];
  customerIdentification: string | null;
  warnings: readonly ProofWarning[];
}

/** What a verification is worth to a transfer of its tenant; null when it is no proof. */
export function proofOf(record: VerificationRecord): WalletProof | null {
  const { status, deletedAt, verifiedAt, flow, reuseResult } = record;
  if (status !== 'VERIFIED' || deletedAt || !verifiedAt) return null;
  return {
    verificationId: record.id,
    verifiedAt,
    provenAt: reuseResult ? new Date(`${reuseResult.verifiedAt}T00:00:00.000Z`) : verifiedAt,
    // Which way it was is the other tenant's affair: it counts where all would.
    flows: reuseResult ? SOURCE_FLOWS : flow ? [flow] : [],
    customerIdentification: record.personal.customerIdentification,
    warnings: record.warnings,
  };
}
