import { scanBitcoinBlock } from '../domain/chain-scan/bitcoin-block.ts';
import type {
  BlockHead,
  BlockRef,
  TransferEvidence,
  ScannedBlock,
  ChainTransfer,
} from '../domain/chain-scan/block.ts';
import type { ScanChain } from '../domain/chain-scan/scan-chain.ts';
import { firstAnswer, NoAnswer, SCAN_LIMITS } from './ask-node.ts';
import { askBitcoind } from './bitcoind-rpc.ts';
import type { ChainNode } from './chain-node.ts';

/** Parts that are read of what Bitcoin Core answers (bitcoincore.org, RPC of 26.0 and later). */
interface CoreInfo {
  blocks: number;
  bestblockhash: string;
}
interface CoreHeader {
  time: number;
  previousblockhash?: string;
}
interface CoreTransaction {
  vin: readonly { coinbase?: string; prevout?: { scriptPubKey: { hex: string } } }[];
}

const INVALID_PARAMETER = -8;

/** Bitcoin over the JSON-RPC of Bitcoin Core: no index of transactions is needed, but blocks must not be pruned. */
export function bitcoindNode(chain: ScanChain): ChainNode {
  const ask = async <T>(method: string, params: readonly unknown[]): Promise<T | undefined> =>
    await firstAnswer(chain.bitcoindUrl, async (url) => await call<T>(url, method, params));
  const demand = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    const result = await ask<T>(method, params);
    if (result === undefined) throw new NoAnswer('the node does not know what was asked for');
    return result;
  };
  return {
    async tip(): Promise<BlockRef> {
      const { blocks, bestblockhash } = await demand<CoreInfo>('getblockchaininfo', []);
      return { height: blocks, hash: bestblockhash };
    },
    async headAt(height: number): Promise<BlockHead | undefined> {
      const hash = await ask<string>('getblockhash', [height]);
      if (hash === undefined) return undefined;
      const { time, previousblockhash } = await demand<CoreHeader>('getblockheader', [hash, true]);
      return { height, hash, parentHash: previousblockhash ?? '', time: new Date(time * 1_000) };
    },
    async blockAt(height: number): Promise<ScannedBlock | undefined> {
      const hash = await ask<string>('getblockhash', [height]);
      if (hash === undefined) return undefined;
      const raw = Buffer.from(await demand<string>('getblock', [hash, 0]), 'hex');
      const block = scanBitcoinBlock(raw, height);
      if (block.hash !== hash) throw new NoAnswer('the bytes are not those of the block that was asked for');
      return block;
    },
    async evidenceOf(
      block: ScannedBlock,
      { transaction, position }: ChainTransfer,
    ): Promise<TransferEvidence> {
      const params = [block.hashOf(transaction), 2, block.hash];
      const { vin } = await demand<CoreTransaction>('getrawtransaction', params);
      return { senders: [...new Set(vin.map(senderOf))], signer: null, position };
    },
    succeeded: async () => await Promise.resolve(true),
  };
}

/** New coins come from nobody; an input without its output is a pruned block or too old a node. */
function senderOf({ coinbase, prevout }: CoreTransaction['vin'][number]): string {
  if (coinbase !== undefined) return 'new coins';
  if (!prevout) throw new NoAnswer('the node does not tell what the inputs spend');
  return prevout.scriptPubKey.hex;
}

/** Undefined: out of range. Throws NoAnswer for any other error. */
async function call<T>(address: string, method: string, params: readonly unknown[]): Promise<T | undefined> {
  const { result, error } = await askBitcoind(address, SCAN_LIMITS, { method, params });
  if (error?.code === INVALID_PARAMETER) return undefined;
  if (error) throw new NoAnswer('the node has answered with an error');
  return result as T;
}
