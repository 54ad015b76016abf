import { isScannable, watchableAsset, type ScanChain } from '../../domain/chain-scan/scan-chain.ts';
import { findBlockchain } from '../../domain/blockchains.ts';
import type { ScannedChain } from '../../domain/verifications/satoshi-request.ts';
import type { Deps } from '../deps.ts';

/** What can be watched on a chain; undefined without a node of it that the scanner understands. */
export function scannedChainOf(
  { settings }: Pick<Deps, 'settings'>,
  blockchain: string,
): (ScannedChain & { chain: ScanChain }) | undefined {
  const name = findBlockchain(blockchain)?.name;
  const chain = settings.chains.find((entry) => entry.name === name);
  if (!chain || !isScannable(chain)) return undefined;
  return { chain, decimalsOf: (asset) => watchableAsset(chain, asset)?.decimals };
}
