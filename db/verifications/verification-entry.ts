import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { NewOutboxEntry } from '../outbox.ts';

/** Lets the verification's workflow look again. The summary names asset and chain, nobody and no address. */
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
