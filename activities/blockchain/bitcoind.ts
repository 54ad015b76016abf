import { scanBitcoinBlock } from '../../domain/chain-scan/bitcoin-block.ts';
import type {
  BlockHead,
  BlockRef,
  TransferEvidence,
  ScannedBlock,
  Transfer,
} from '../../domain/chain-scan/block.ts';
import type { ScanChain } from '../../domain/chain-scan/scan-chain.ts';
import type { ChainNode } from './chain-node.ts';
import { firstAnswer, requestNode } from './node-http.ts';

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
interface CoreAnswer {
  result?: unknown;
  error?: { code: number } | null;
}

const INVALID_PARAMETER = -8;

/** Bitcoin over the JSON-RPC of Bitcoin Core: no index of transactions is needed, but blocks must not be pruned. */
export function bitcoindNode(chain: ScanChain): ChainNode {
  const ask = async <T>(method: string, params: readonly unknown[]): Promise<T | undefined> =>
    await firstAnswer(chain.bitcoindUrl, async (url) => await call<T>(url, method, params));
  const demand = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    const result = await ask<T>(method, params);
    if (result === undefined) throw new Error('the node does not know what was asked for');
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
      if (block.hash !== hash) throw new Error('the bytes are not those of the block that was asked for');
      return block;
    },
    async evidenceOf(block: ScannedBlock, { transaction, position }: Transfer): Promise<TransferEvidence> {
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
  if (!prevout) throw new Error('the node does not tell what the inputs spend');
  return prevout.scriptPubKey.hex;
}

/** undefined: out of range. Errors come with status 500 from older nodes and with 200 from newer ones. */
async function call<T>(address: string, method: string, params: readonly unknown[]): Promise<T | undefined> {
  const url = new URL(address);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = url.password = '';
  const { status, body } = await requestNode(url.href, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    },
    body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }),
  });
  if (status !== 200 && status !== 500) throw new Error('the node has refused the call');
  const { result, error } = JSON.parse(body.toString()) as CoreAnswer;
  if (error?.code === INVALID_PARAMETER) return undefined;
  if (error) throw new Error('the node has answered with an error');
  return result as T;
}
