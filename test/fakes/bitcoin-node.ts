import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { hex } from '@scure/base';
import { RawTx } from '@scure/btc-signer';
import { addressOfScript, type BitcoinWallet, type Coin } from '../chains/bitcoin-wallet.ts';

/** A transaction with the scripts that its inputs spend; none for new coins. */
export interface MinedTransaction {
  raw: Uint8Array;
  hash: string;
  prevouts: readonly Uint8Array[];
}

interface Block {
  hash: string;
  height: number;
  raw: Buffer;
  time: number;
  parentHash: string;
  transactions: readonly MinedTransaction[];
}

/** A small Bitcoin chain without proof of work: real raw blocks of real transactions, over the protocols of Esplora and Bitcoin Core. */
export interface BitcoinNode {
  url: string;
  /** The same for bitcoind, with the password that it wants. */
  coreUrl: string;
  /** Paths and methods that were asked for. */
  asked: string[];
  /** Whether Bitcoin Core has an index of transactions (`txindex=1`). */
  hasIndex: boolean;
  /** Transactions that are in no block yet. */
  mempool: MinedTransaction[];
  height: () => number;
  /** Adds a block with these transactions after new coins. */
  mine: (transactions?: readonly MinedTransaction[]) => void;
  /** A block with new coins for this wallet. */
  fund: (owner: BitcoinWallet, units?: bigint) => Coin;
  /** Takes blocks from the end away; those mined instead have other hashes. */
  drop: (blocks: number) => void;
  stop: () => Promise<void>;
}

export async function startBitcoinNode(): Promise<BitcoinNode> {
  const chain: Block[] = [];
  const asked: string[] = [];
  const core = { chain, asked, hasIndex: true, mempool: [] as MinedTransaction[] };
  let salt = 0;
  const mine = (transactions: readonly MinedTransaction[] = [], newCoins = coinbase((salt += 1), null)) => {
    chain.push(blockOn(chain.at(-1), [newCoins, ...transactions], Math.floor(Date.now() / 1_000)));
  };
  mine();
  const server = createServer((request, response) => {
    if (request.method === 'POST') return void answerCore(core, request, response);
    asked.push(request.url ?? '');
    answer(chain, request.url ?? '', response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return Object.assign(core, {
    url: `http://127.0.0.1:${port}/api`,
    coreUrl: `http://user:p%40ss@127.0.0.1:${port}`,
    height: () => chain.length - 1,
    mine: (transactions?: readonly MinedTransaction[]) => mine(transactions),
    fund(owner: BitcoinWallet, units = 10_000_000n) {
      const made = coinbase((salt += 1), { script: owner.script, units });
      mine([], made);
      return { hash: made.hash, index: 0, units, owner, raw: made.raw };
    },
    drop: (blocks: number) => void chain.splice(chain.length - blocks),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

function answer(chain: readonly Block[], url: string, response: ServerResponse): void {
  const [, kind = '', word = '', rest] = url.replace(/^\/api/, '').split('/');
  const block = chain.find(({ hash }) => hash === word);
  if (kind === 'blocks' && rest === 'hash') return void response.end(chain.at(-1)?.hash);
  if (kind === 'blocks' && rest === 'height') return void response.end(`${chain.length - 1}`);
  if (kind === 'block-height') {
    const { hash } = chain[Number(word)] ?? {};
    if (hash) return void response.end(hash);
  }
  if (kind === 'block' && block && rest === 'raw') return void response.end(block.raw);
  if (kind === 'block' && block) return void response.end(JSON.stringify(shown(block)));
  const mined = chain.flatMap(({ transactions }) => transactions).find(({ hash }) => hash === word);
  if (kind === 'tx' && mined) return void response.end(JSON.stringify(shownTransaction(mined)));
  response.statusCode = 404;
  response.end('Not found');
}

interface CoreState extends Pick<BitcoinNode, 'asked' | 'hasIndex' | 'mempool'> {
  chain: readonly Block[];
}

/** JSON-RPC as Bitcoin Core speaks it: errors have status 500. */
async function answerCore(
  core: CoreState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { method, params } = JSON.parse(text) as { method: string; params: unknown[] };
  core.asked.push(method);
  const isKnown = request.headers.authorization === `Basic ${btoa('user:p@ss')}`;
  const result = isKnown ? coreResult(core, method, params) : undefined;
  response.statusCode = isKnown ? (result === undefined ? 500 : 200) : 401;
  const error =
    method === 'getrawtransaction'
      ? { code: -5, message: `${lackOf(core, params)}. Use gettransaction for wallet transactions.` }
      : { code: -8, message: 'Block height out of range' };
  response.end(isKnown ? JSON.stringify(result === undefined ? { error } : { result, error: null }) : '');
}

function lackOf({ hasIndex }: CoreState, [, , inBlock]: unknown[]): string {
  if (inBlock !== undefined) return 'No such transaction found in the provided block';
  return hasIndex
    ? 'No such mempool or blockchain transaction'
    : 'No such mempool transaction. Use -txindex or provide a block hash to enable blockchain transaction queries';
}

function coreResult(core: CoreState, method: string, [first, second, third]: unknown[]): unknown {
  const { chain, hasIndex, mempool } = core;
  const block = chain.find(({ hash }) => hash === (third ?? first));
  switch (method) {
    case 'getblockchaininfo':
      return { blocks: chain.length - 1, bestblockhash: chain.at(-1)?.hash };
    case 'getblockhash':
      return chain[Number(first)]?.hash;
    case 'getblockheader':
      return block && { time: block.time, previousblockhash: block.parentHash };
    case 'getblock':
      return second === 0 ? block?.raw.toString('hex') : undefined;
    default: {
      if (method !== 'getrawtransaction' || second !== 2) return undefined;
      const blocks = third === undefined && hasIndex ? chain : block ? [block] : [];
      const mined = blocks.flatMap(({ transactions }) => transactions).find(({ hash }) => hash === first);
      if (mined) return coreTransaction(mined, true);
      const waiting = third === undefined ? mempool.find(({ hash }) => hash === first) : undefined;
      return waiting && coreTransaction(waiting, false);
    }
  }
}

/** Verbosity 2: what is spent is told of transactions in blocks only; amounts are in bitcoins. */
function coreTransaction({ raw, hash, prevouts }: MinedTransaction, isMined: boolean) {
  const vin = prevouts.map((script) => ({
    ...(isMined && { prevout: { scriptPubKey: coreScript(script) } }),
  }));
  const vout = RawTx.decode(raw).outputs.map(
    ({ amount, script }: { amount: bigint; script: Uint8Array }, n) => ({
      value: Number(amount) / 1e8,
      n,
      scriptPubKey: coreScript(script),
    }),
  );
  return { txid: hash, vin: prevouts.length > 0 ? vin : [{ coinbase: '00' }], vout };
}

function coreScript(script: Uint8Array) {
  const address = addressOfScript(script);
  return { hex: hex.encode(script), ...(address !== undefined && { address }) };
}

function shown({ hash, height, time, parentHash }: Block) {
  return { id: hash, height, timestamp: time, previousblockhash: height === 0 ? null : parentHash };
}

function shownTransaction({ hash, prevouts }: MinedTransaction) {
  const vin = prevouts.map((script) => ({ prevout: { scriptpubkey: hex.encode(script) } }));
  return { txid: hash, vin: vin.length > 0 ? vin : [{ prevout: null }] };
}

/** New coins; the salt makes each transaction another one. */
export function coinbase(
  salt: number,
  output: { script: Uint8Array; units: bigint } | null,
): MinedTransaction {
  const { script, units } = output ?? { script: hexToBytes('6a'), units: 0n };
  const raw = RawTx.encode({
    version: 1,
    segwitFlag: false,
    inputs: [
      {
        txid: new Uint8Array(32),
        index: 0xffffffff,
        finalScriptSig: utf8ToBytes(`new coins ${salt}`),
        sequence: 0xffffffff,
      },
    ],
    outputs: [{ amount: units, script }],
    lockTime: 0,
  });
  return { raw, hash: hashOf(raw), prevouts: [] };
}

function blockOn(parent: Block | undefined, transactions: readonly MinedTransaction[], time: number): Block {
  const parentHash = parent?.hash ?? '00'.repeat(32);
  const header = Buffer.alloc(80);
  header.writeInt32LE(0x20000000, 0);
  header.set(hexToBytes(parentHash).reverse(), 4);
  header.set(merkleRoot(transactions.map(({ hash }) => hexToBytes(hash).reverse())), 36);
  header.writeUInt32LE(time, 68);
  header.writeUInt32LE(0x207fffff, 72);
  const raw = Buffer.from(
    concatBytes(header, compactSize(transactions.length), ...transactions.map((each) => each.raw)),
  );
  const height = (parent?.height ?? -1) + 1;
  return { hash: hashOf(header), height, raw, time, parentHash, transactions };
}

export function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value);
  const bytes = Buffer.alloc(3, 0xfd);
  bytes.writeUInt16LE(value, 1);
  return bytes;
}

function merkleRoot(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 1) return hashes[0] ?? new Uint8Array(32);
  const next: Uint8Array[] = [];
  for (let at = 0; at < hashes.length; at += 2) {
    const left = hashes[at] ?? new Uint8Array(32);
    next.push(sha256(sha256(concatBytes(left, hashes[at + 1] ?? left))));
  }
  return merkleRoot(next);
}

function hashOf(bytes: Uint8Array): string {
  return hex.encode(sha256(sha256(bytes)).reverse());
}
