import type { ScanChain } from '../domain/chain-scan/scan-chain.ts';
import { bitcoindNode } from './bitcoind.ts';
import type { ChainNode } from './chain-node.ts';
import { esploraNode } from './esplora-node.ts';
import { evmNode } from './evm-node.ts';

/** The nodes of a chain that can be scanned, by the protocol that they speak. */
export function openNode(chain: ScanChain): ChainNode {
  if (chain.kind === 'EVM') return evmNode(chain);
  return chain.esploraUrl.length > 0 ? esploraNode(chain) : bitcoindNode(chain);
}
