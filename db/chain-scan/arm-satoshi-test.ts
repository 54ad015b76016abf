import type { ScanChain } from '../../domain/chain-scan/scan-chain.ts';
import type { VerificationChange } from '../../domain/verifications/change.ts';
import type { Queryable } from '../postgres.ts';
import { makeRoomForTest } from './limit-per-wallet.ts';
import { armWatch } from './watches.ts';

/**
 * Registers the transfer of a new verification with the block scanner, if the verification allows a satoshi test.
 * Returns the change with the chosen amount. `fromHeight` is the chain's height now, if known: a test that the caller
 * has chosen counts later blocks only, and so does one after many of the same wallet. Call it in the transaction that
 * stores the verification, before storing it. Throws conflict when too many tests of the wallet are open.
 */
export async function armSatoshiTest(
  tx: Queryable,
  chain: ScanChain | undefined,
  change: VerificationChange,
  fromHeight: number | null,
): Promise<VerificationChange> {
  const { after: record } = change;
  const depositNormal = record.satoshiDepositNormal;
  const isWaiting = record.status === 'PENDING' && record.allowedFlows.includes('SATOSHI_TEST');
  if (!chain || depositNormal === null || !isWaiting) return change;
  const { id: verificationId, tenantId, asset, addressNormal, createdAt, expiresAt } = record;
  const isOften = await makeRoomForTest(tx, chain, { tenantId, addressNormal, createdAt });
  const isSatoshiChosen = record.isSatoshiChosen || isOften;
  const satoshiAmount = await armWatch(tx, chain, {
    verificationId,
    tenantId,
    asset,
    addressNormal,
    depositNormal,
    createdAt,
    expiresAt,
    amount: record.satoshiAmount,
    looksBack: !isSatoshiChosen,
    fromHeight,
  });
  return { ...change, after: { ...record, satoshiAmount, isSatoshiChosen } };
}
