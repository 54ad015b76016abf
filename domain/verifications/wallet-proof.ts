import type { WalletProof } from '../transactions/self-hosted-decision.ts';
import type { VerificationRecord } from './record.ts';
import { SOURCE_FLOWS } from './reuse.ts';

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
