import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { NewPoke } from '../outbox.ts';

/** Lets the verification's workflow look again. The summary names asset and chain, nobody and no address. */
export function verificationPoke(
  record: Pick<VerificationRecord, 'id' | 'tenantId' | 'asset' | 'blockchainKey'>,
): NewPoke {
  return {
    tenantId: record.tenantId,
    workflow: 'walletVerification',
    subjectId: record.id,
    summary: `Wallet on ${record.blockchainKey}, ${record.asset}`,
  };
}
