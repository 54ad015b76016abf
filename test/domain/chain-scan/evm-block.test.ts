import { scanEvmBlock, TRANSFER_TOPIC, type EvmLog } from '../../../domain/chain-scan/evm-block.ts';
import {
  isScannable,
  tokenContracts,
  watchableAsset,
  type ScanChain,
} from '../../../domain/chain-scan/scan-chain.ts';

const A = `0x${'aA'.repeat(20)}`;
const B = `0x${'Bb'.repeat(20)}`;
const TOKEN = `0x${'Cc'.repeat(20)}`;
const EMITTER = `0x${'ff'.repeat(19)}fe`;
const padded = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
const data = (units: bigint) => `0x${units.toString(16).padStart(64, '0')}`;
const log = (more: Partial<EvmLog> = {}): EvmLog => ({
  address: TOKEN,
  topics: [TRANSFER_TOPIC, padded(A), padded(B)],
  data: data(5n),
  logIndex: '0x7',
  transactionIndex: '0x1',
  ...more,
});
const transaction = (to: string | null, value: string) => ({ hash: `0x${value}`, from: A, to, value });
const scan = (transactions: ReturnType<typeof transaction>[], logs: EvmLog[] = []) => {
  const block = scanEvmBlock(
    { number: '0x10', hash: '0xh', parentHash: '0xp', timestamp: '0x65000000', transactions },
    logs,
  );
  return { block, transfers: block.recipientHashes.map((_, index) => block.transferAt(index)) };
};

test('a coin that moves and a token that moves are transfers, in lower case', () => {
  const { block, transfers } = scan([transaction(B, '0x9')], [log()]);
  expect(block).toMatchObject({
    height: 16,
    hash: '0xh',
    parentHash: '0xp',
    time: new Date(0x65000000 * 1_000),
  });
  const parties = { sender: A.toLowerCase(), recipient: B.toLowerCase() };
  expect(transfers).toEqual([
    { transaction: 0, position: -1, asset: 'native', units: 9n, ...parties },
    { transaction: 1, position: 7, asset: TOKEN.toLowerCase(), units: 5n, ...parties },
  ]);
});

test.each([
  ['a new contract', [transaction(null, '0x9')], []],
  ['a call without coins', [transaction(B, '0x0')], []],
  ['no units', [], [log({ data: data(0n) })]],
  ['a piece of a collection (ERC-721)', [], [log({ topics: [...log().topics, data(1n)], data: '0x' })]],
  ['more data than an amount', [], [log({ data: `${data(5n)}00` })]],
  ['no data', [], [log({ data: '0x' })]],
  ['another event', [], [log({ topics: [data(1n), padded(A), padded(B)] })]],
  ['no recipient', [], [log({ topics: [TRANSFER_TOPIC, padded(A)] })]],
])('no transfer: %s', (_, transactions, logs) => {
  expect(scan(transactions, logs).transfers).toEqual([]);
});

const chain: ScanChain = {
  name: 'Test',
  kind: 'EVM',
  addressFormat: 'EVM',
  nativeAsset: 'ETH',
  decimals: 18,
  confirmations: 0,
  rpcUrl: ['http://127.0.0.1'],
  esploraUrl: [],
  bitcoindUrl: [],
  pollMs: 1_000,
  tokens: [
    { asset: 'USDC', address: TOKEN, decimals: 6 },
    { asset: 'FAKE', address: EMITTER, decimals: 18 },
  ],
};

test('the address that tells of plain transfers by EIP-7708 is never a token, even where it is configured', () => {
  expect(tokenContracts(chain)).toEqual([TOKEN.toLowerCase()]);
  expect(watchableAsset(chain, 'FAKE')).toBeUndefined();
});

test('assets are found by ticker, whatever its case; others cannot be watched', () => {
  expect(watchableAsset(chain, 'eth')).toEqual({ ticker: 'eth', key: 'native', decimals: 18 });
  expect(watchableAsset(chain, 'usdc')).toEqual({ ticker: 'usdc', key: TOKEN.toLowerCase(), decimals: 6 });
  expect(watchableAsset(chain, 'USDT')).toBeUndefined();
});

test.each([
  [{}, true],
  [{ rpcUrl: [] }, false],
  [{ kind: 'BITCOIN', addressFormat: 'BITCOIN', esploraUrl: ['http://127.0.0.1'] }, true],
  [{ kind: 'BITCOIN', addressFormat: 'BITCOIN', bitcoindUrl: ['http://127.0.0.1'] }, true],
  [{ kind: 'BITCOIN', addressFormat: 'BITCOIN' }, false],
  [{ kind: 'BITCOIN', addressFormat: 'DOGECOIN', esploraUrl: ['http://127.0.0.1'] }, false],
  [{ kind: 'TRON', addressFormat: 'TRON' }, false],
  [{ kind: 'SOLANA', addressFormat: 'SOLANA' }, false],
] as const)('a chain with %j can be scanned: %s', (more, scannable) => {
  expect(isScannable({ ...chain, ...more })).toBe(scannable);
});
