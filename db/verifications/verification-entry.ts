import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { NewOutboxEntry } from '../outbox.ts';

/**
 * An outbox entry that wakes the verification's workflow. The summary names blockchain and asset, no person and no
 * address.
 */
export function verificationEntry(
  record: Pick<VerificationRecord, 'id' | 'tenantId' | 'asset' | 'blockchainKey'>,
): NewOutboxEntry {
  return {
    tenantId: record.tenantId,
    workflow: 'walletVerification',
    subjectId: record.id,
    summary: `Wallet on ${record.blockchainKey}, ${record.asset}`,
  };
}
