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
import type { ChainNode } from './chain-node.ts';
import { esplora } from './esplora.ts';

/** Parts that are read of what Esplora answers (github.com/Blockstream/esplora, API.md). */
interface EsploraBlock {
  id: string;
  height: number;
  timestamp: number;
  previousblockhash: string | null;
}
interface EsploraTransaction {
  vin: readonly { prevout: { scriptpubkey: string } | null }[];
}

const HASH = /^[0-9a-f]{64}$/;

/** Bitcoin over Esplora REST: the raw block once, and one call for each transaction that may be an expected one. */
export function esploraNode(chain: ScanChain): ChainNode {
  const find = findInAny(chain.esploraUrl);
  const json = async <T>(path: string) => JSON.parse((await demand(find, path)).toString()) as T;
  const hashAt = async (height: number): Promise<string | undefined> => {
    const text = (await find(`/block-height/${height}`))?.toString().trim();
    if (text !== undefined && !HASH.test(text)) throw new NoAnswer('no block hash was answered');
    return text;
  };
  return {
    async tip(): Promise<BlockRef> {
      const hash = (await demand(find, '/blocks/tip/hash')).toString().trim();
      if (!HASH.test(hash)) throw new NoAnswer('no block hash was answered');
      return { hash, height: (await json<EsploraBlock>(`/block/${hash}`)).height };
    },
    async headAt(height: number): Promise<BlockHead | undefined> {
      const hash = await hashAt(height);
      if (hash === undefined) return undefined;
      const { previousblockhash, timestamp } = await json<EsploraBlock>(`/block/${hash}`);
      return { height, hash, parentHash: previousblockhash ?? '', time: new Date(timestamp * 1_000) };
    },
    async blockAt(height: number): Promise<ScannedBlock | undefined> {
      const hash = await hashAt(height);
      if (hash === undefined) return undefined;
      const block = scanBitcoinBlock(await demand(find, `/block/${hash}/raw`), height);
      if (block.hash !== hash) throw new NoAnswer('the bytes are not those of the block that was asked for');
      return block;
    },
    async evidenceOf(
      block: ScannedBlock,
      { transaction, position }: ChainTransfer,
    ): Promise<TransferEvidence> {
      const { vin } = await json<EsploraTransaction>(`/tx/${block.hashOf(transaction)}`);
      // New coins come from nobody.
      const senders = [...new Set(vin.map(({ prevout }) => prevout?.scriptpubkey ?? 'new coins'))];
      return { senders, signer: null, position };
    },
    succeeded: async () => await Promise.resolve(true),
  };
}

/** Undefined with status 404. */
type Find = (path: string) => Promise<Buffer | undefined>;

async function demand(find: Find, path: string): Promise<Buffer> {
  const body = await find(path);
  if (!body) throw new NoAnswer('the node does not know what was asked for');
  return body;
}

/** Asks the first address; the next one when it fails or is silent. */
function findInAny(urls: readonly string[]): Find {
  const nodes = urls.map((url) => esplora(url, SCAN_LIMITS));
  return async (path) => await firstAnswer(nodes, async (node) => await node.find(path));
}
