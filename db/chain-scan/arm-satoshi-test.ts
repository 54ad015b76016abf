import type { ScanChain } from '../../domain/chain-scan/scan-chain.ts';
import type { VerificationChange } from '../../domain/verifications/change.ts';
import type { Queryable } from '../postgres.ts';
import { armWatch } from './watches.ts';

/**
 * Lets the scanner wait for the transfer of a new verification, where it allows one; the amount that was chosen is in the
 * change that comes back. In the transaction that stores the verification, before it.
 */
export async function armSatoshiTest(
  tx: Queryable,
  chain: ScanChain | undefined,
  change: VerificationChange,
): Promise<VerificationChange> {
  const { after: record } = change;
  const depositNormal = record.satoshiDepositNormal;
  const isWaiting = record.status === 'PENDING' && record.allowedFlows.includes('SATOSHI_TEST');
  if (!chain || depositNormal === null || !isWaiting) return change;
  const { id: verificationId, tenantId, asset, addressNormal, createdAt, expiresAt } = record;
  const watch = { verificationId, tenantId, asset, addressNormal, depositNormal, createdAt, expiresAt };
  const satoshiAmount = await armWatch(tx, chain, { ...watch, amount: record.satoshiAmount });
  return { ...change, after: { ...record, satoshiAmount } };
}
