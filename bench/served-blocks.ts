import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EvmBlock, EvmLog } from '../domain/chain-scan/evm-block.ts';
import { TRANSFER_TOPIC } from '../domain/chain-scan/evm-block.ts';

/** A chain in memory with the HTTP protocol of real nodes, which counts the calls. */
export interface ServedChain {
  url: string;
  calls: () => number;
  /** Makes the chain visible up to this height. */
  show: (height: number) => void;
  end: () => Promise<void>;
}

export interface PlannedTransfer {
  from: string;
  to: string;
  units: bigint;
}

const TRANSACTIONS = 100;
/** Number of transactions in a block that transfer tokens. */
const TOKEN_TRANSFERS = 40;

interface EvmEntry {
  block: EvmBlock;
  logs: EvmLog[];
}

/** Serves EVM blocks of 100 transactions, 40 of them with a token's log. `planned` transfers come first in their block. */
export async function serveEvm(
  token: string,
  count: number,
  planned: (height: number) => readonly PlannedTransfer[],
): Promise<ServedChain> {
  const entries: EvmEntry[] = [];
  for (let height = 0; height < count; height += 1) {
    const parent = entries.at(-1)?.block.hash ?? word();
    entries.push(evmEntry(height, parent, token, planned(height)));
  }
  let shown = 0;
  const byHash = new Map(entries.map((entry) => [entry.block.hash, entry]));
  const owners = new Map(
    entries.flatMap(({ block }) => block.transactions.map((each) => [each.hash, { block, each }] as const)),
  );
  const answers: Record<string, (params: unknown[]) => unknown> = {
    eth_getBlockByNumber: ([tag, full]) => {
      const height = tag === 'latest' ? shown : Number(tag);
      const block = height <= shown ? entries[height]?.block : undefined;
      return block && (full === true ? block : { ...block, transactions: [] });
    },
    eth_getLogs: ([filter]) => byHash.get((filter as { blockHash: string }).blockHash)?.logs ?? [],
    eth_getTransactionReceipt: ([hash]) => {
      const owner = owners.get(String(hash));
      return owner && { blockHash: owner.block.hash, status: '0x1', from: owner.each.from, logs: [] };
    },
  };
  return await serve(
    async (request) => {
      const { id, method, params } = JSON.parse(await textOf(request)) as Call;
      return JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? null });
    },
    (height) => (shown = height),
  );
}

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

function evmEntry(
  height: number,
  parentHash: string,
  token: string,
  planned: readonly PlannedTransfer[],
): EvmEntry {
  const transactions = Array.from({ length: TRANSACTIONS }, (_, index) => {
    const { from, to, units } = planned[index] ?? { from: account(), to: account(), units: 10n ** 15n };
    return { hash: word(), from, to, value: `0x${units.toString(16)}`, input: '0x', gas: '0x5208' };
  });
  const logs = transactions.slice(-TOKEN_TRANSFERS).map((_, index) => ({
    address: token,
    topics: [TRANSFER_TOPIC, padded(account()), padded(account())],
    data: `0x${(1_000_000 + index).toString(16).padStart(64, '0')}`,
    logIndex: `0x${index.toString(16)}`,
    transactionIndex: `0x${(TRANSACTIONS - TOKEN_TRANSFERS + index).toString(16)}`,
  }));
  const timestamp = `0x${Math.floor(Date.now() / 1_000).toString(16)}`;
  return {
    block: { number: `0x${height.toString(16)}`, hash: word(), parentHash, timestamp, transactions },
    logs,
  };
}

/** Serves raw Bitcoin blocks over the Esplora protocol. The first block is only the start of the chain. */
export async function serveBitcoin(
  blocks: readonly { raw: Buffer; hash: string; time: number }[],
): Promise<ServedChain> {
  let shown = 0;
  return await serve(
    async ({ url = '' }) => {
      const [, kind, key = '', part] = url.split('/');
      if (kind === 'blocks') return blocks[shown]?.hash ?? '';
      if (kind === 'block-height') return await Promise.resolve(blocks[Number(key)]?.hash ?? '');
      const height = blocks.findIndex(({ hash }) => hash === key);
      const block = blocks[height];
      if (part === 'raw') return block?.raw ?? '';
      const previousblockhash = blocks[height - 1]?.hash ?? null;
      return JSON.stringify({ id: key, height, timestamp: block?.time, previousblockhash });
    },
    (height) => (shown = height),
  );
}

async function serve(
  answer: (request: IncomingMessage) => Promise<string | Buffer>,
  show: (height: number) => void,
): Promise<ServedChain> {
  let calls = 0;
  const server: Server = createServer((request, response) => {
    calls += 1;
    response.setHeader('Content-Type', 'application/json');
    answer(request).then(
      (body) => response.end(body),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    show,
    end: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

export function account(): string {
  return `0x${randomBytes(20).toString('hex')}`;
}

function word(): string {
  return `0x${randomBytes(32).toString('hex')}`;
}

function padded(address: string): string {
  return `0x${address.slice(2).padStart(64, '0')}`;
}
