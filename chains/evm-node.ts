import type {
  BlockHead,
  BlockRef,
  TransferEvidence,
  ScannedBlock,
  ChainTransfer,
} from '../domain/chain-scan/block.ts';
import { scanEvmBlock, TRANSFER_TOPIC, type EvmBlock, type EvmLog } from '../domain/chain-scan/evm-block.ts';
import { NATIVE, tokenContracts, type ScanChain } from '../domain/chain-scan/scan-chain.ts';
import { firstAnswer, NoAnswer, SCAN_LIMITS } from './ask-node.ts';
import type { ChainNode } from './chain-node.ts';
import { evmRpc } from './evm-rpc.ts';

interface Receipt {
  blockHash: string;
  status: string;
  from: string;
  logs: readonly EvmLog[];
}

type EvmHead = Pick<EvmBlock, 'number' | 'hash' | 'parentHash' | 'timestamp'>;
type EvmRequest = <T>(method: string, params: readonly unknown[]) => Promise<T>;

/**
 * An EVM chain over JSON-RPC: two calls for a block, the look at the tip counted in, and one for each transaction with
 * transfers that may be expected ones.
 */
export function evmNode(chain: ScanChain): ChainNode {
  const ask = askAny(chain.rpcUrl);
  const contracts = tokenContracts(chain);
  // A receipt has all logs of its transaction, of which several may be looked at one after the other.
  let lastReceipt: { hash: string; receipt: Receipt } | undefined;
  const receiptOf = async (block: ScannedBlock, transaction: number): Promise<Receipt> => {
    const hash = block.hashOf(transaction);
    if (lastReceipt?.hash === hash && lastReceipt.receipt.blockHash === block.hash)
      return lastReceipt.receipt;
    const receipt = await ask<Receipt | null>('eth_getTransactionReceipt', [hash]);
    // A node that follows another fork, or not so far, says nothing about this block.
    if (receipt?.blockHash !== block.hash) throw new NoAnswer('the node does not know this block any more');
    lastReceipt = { hash, receipt };
    return receipt;
  };
  // The look at the tip brings its transactions along: mostly it is the block that is read next.
  let newest: EvmBlock | undefined;
  const wholeBlock = async (height: number): Promise<EvmBlock | null> => {
    const known = newest;
    newest = undefined;
    if (known && Number(known.number) === height) return known;
    return await ask<EvmBlock | null>('eth_getBlockByNumber', [quantity(height), true]);
  };
  return {
    async tip(): Promise<BlockRef> {
      newest = await ask<EvmBlock>('eth_getBlockByNumber', ['latest', true]);
      return { height: Number(newest.number), hash: newest.hash };
    },
    async headAt(height: number): Promise<BlockHead | undefined> {
      const head = await ask<EvmHead | null>('eth_getBlockByNumber', [quantity(height), false]);
      return head ? toHead(head) : undefined;
    },
    async blockAt(height: number): Promise<ScannedBlock | undefined> {
      const block = await wholeBlock(height);
      if (!block) return undefined;
      // By hash, so that block and logs cannot come from two forks.
      const logs = contracts.length
        ? await ask<EvmLog[]>('eth_getLogs', [
            { blockHash: block.hash, address: contracts, topics: [TRANSFER_TOPIC] },
          ])
        : [];
      return scanEvmBlock(block, logs);
    },
    async evidenceOf(block: ScannedBlock, transfer: ChainTransfer): Promise<TransferEvidence> {
      const receipt = await receiptOf(block, transfer.transaction);
      const senders = receipt.status === '0x1' && transfer.sender !== null ? [transfer.sender] : [];
      return { senders, signer: receipt.from.toLowerCase(), position: positionOf(transfer, receipt) };
    },
    async succeeded(block: ScannedBlock, transaction: number): Promise<boolean> {
      return (await receiptOf(block, transaction)).status === '0x1';
    },
  };
}

/** Counted from the transaction's own first log, which a fork cannot change. */
function positionOf({ asset, position }: ChainTransfer, { logs }: Receipt): number {
  if (asset === NATIVE) return position;
  return logs.findIndex(({ logIndex }) => Number(logIndex) === position);
}

/** Asks the first address; the next one when it fails or is silent. */
function askAny(urls: readonly string[]): EvmRequest {
  const nodes = urls.map((url) => evmRpc(url, SCAN_LIMITS));
  return async <T>(method: string, params: readonly unknown[]) =>
    (await firstAnswer(nodes, async (ask) => await ask(method, params))) as T;
}

function toHead({ number, hash, parentHash, timestamp }: EvmHead): BlockHead {
  return { height: Number(number), hash, parentHash, time: new Date(Number(timestamp) * 1_000) };
}

function quantity(height: number): string {
  return `0x${height.toString(16)}`;
}
