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
  const get = getFromAny(chain.esploraUrl);
  const json = async <T>(path: string) => JSON.parse((await demand(get, path)).toString()) as T;
  const hashAt = async (height: number): Promise<string | undefined> => {
    const text = (await get(`/block-height/${height}`))?.toString().trim();
    if (text !== undefined && !HASH.test(text)) throw new Error('no block hash was answered');
    return text;
  };
  return {
    async tip(): Promise<BlockRef> {
      const hash = (await demand(get, '/blocks/tip/hash')).toString().trim();
      if (!HASH.test(hash)) throw new Error('no block hash was answered');
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
      const block = scanBitcoinBlock(await demand(get, `/block/${hash}/raw`), height);
      if (block.hash !== hash) throw new Error('the bytes are not those of the block that was asked for');
      return block;
    },
    async evidenceOf(block: ScannedBlock, { transaction, position }: Transfer): Promise<TransferEvidence> {
      const { vin } = await json<EsploraTransaction>(`/tx/${block.hashOf(transaction)}`);
      // New coins come from nobody.
      const senders = [...new Set(vin.map(({ prevout }) => prevout?.scriptpubkey ?? 'new coins'))];
      return { senders, signer: null, position };
    },
    succeeded: async () => await Promise.resolve(true),
  };
}

/** undefined: 404. */
type EsploraGet = (path: string) => Promise<Buffer | undefined>;

async function demand(get: EsploraGet, path: string): Promise<Buffer> {
  const body = await get(path);
  if (!body) throw new Error('the node does not know what was asked for');
  return body;
}

/** Asks the first address; the next one when it fails or is silent. */
function getFromAny(urls: readonly string[]): EsploraGet {
  return async (path) =>
    await firstAnswer(urls, async (url) => {
      const { status, body } = await requestNode(url.replace(/\/$/, '') + path);
      if (status === 404) return undefined;
      if (status !== 200) throw new Error('the node has answered with an error');
      return body;
    });
}
