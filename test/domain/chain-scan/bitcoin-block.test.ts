import fc from 'fast-check';
import { hex } from '@scure/base';
import { RawTx } from '@scure/btc-signer';
import { scanBitcoinBlock } from '../../../domain/chain-scan/bitcoin-block.ts';
import { coinbase, compactSize } from '../../fakes/bitcoin-node.ts';
import { bitcoinWallet, signedTransaction, WALLET_KINDS } from '../../chains/bitcoin-wallet.ts';

const HEADER = Buffer.alloc(80);
const blockOf = (transactions: readonly Uint8Array[]) =>
  Buffer.concat([HEADER, compactSize(transactions.length), ...transactions]);
const transfersOf = (raw: Buffer) => {
  const block = scanBitcoinBlock(raw, 1);
  return block.recipientHashes.map((_, index) => block.transferAt(index));
};

/** Bitcoin's first block, as every node has it. */
const GENESIS =
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3' +
  '888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c0101000000010000000000000000000000000000000000000000000000000000' +
  '000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e2062' +
  '72696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe554827' +
  '1967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f' +
  'ac00000000';

test("Bitcoin's first block is read to the byte", () => {
  const block = scanBitcoinBlock(Buffer.from(GENESIS, 'hex'), 0);
  expect(block).toMatchObject({
    hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    parentHash: '00'.repeat(32),
    time: new Date('2009-01-03T18:15:05Z'),
  });
  expect(block.hashOf(0)).toBe('4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b');
  expect(block.transferAt(0)).toMatchObject({ transaction: 0, position: 0, units: 5_000_000_000n });
});

test('signed transactions of all kinds, with and without witnesses, have their hashes and outputs', () => {
  const coins = WALLET_KINDS.map((kind) => {
    const owner = bitcoinWallet(kind, 'a');
    const { hash, raw } = coinbase(1, { script: owner.script, units: 50_000n });
    return { hash, raw, index: 0, units: 50_000n, owner };
  });
  const target = bitcoinWallet('p2tr', 'b');
  const all = [...coins.map((coin) => [coin]), coins].map((spent) =>
    signedTransaction(spent, [{ address: target.address, units: 1_234n }]),
  );
  const block = scanBitcoinBlock(blockOf(all.map(({ raw }) => raw)), 7);
  expect(all.map((_, index) => block.hashOf(index))).toEqual(all.map(({ hash }) => hash));
  expect(block.recipientHashes.map((_, index) => block.transferAt(index).recipient)).toEqual(
    all.map(() => hex.encode(target.script)),
  );
  expect(block.findTransactions(new Set([all[2]?.hash ?? '']))).toEqual([2]);
});

const bytes = (maxLength: number) => fc.uint8Array({ minLength: 0, maxLength });
const anyTransaction = fc.record({
  version: fc.constantFrom(1, 2),
  inputs: fc.array(
    fc.record({
      txid: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      index: fc.nat(),
      finalScriptSig: bytes(300),
      sequence: fc.nat(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  outputs: fc.array(fc.record({ amount: fc.bigInt(0n, 2_100_000_000_000_000n), script: bytes(300) }), {
    minLength: 1,
    maxLength: 300,
  }),
  lockTime: fc.nat(),
  witness: fc.array(bytes(300), { minLength: 1, maxLength: 4 }),
  segwitFlag: fc.boolean(),
});

test('any transactions: every output that pays somebody is found, and no other', () => {
  fc.assert(
    fc.property(fc.array(anyTransaction, { minLength: 1, maxLength: 5 }), (made) => {
      const raws = made.map(({ witness, ...rest }) =>
        RawTx.encode({ ...rest, ...(rest.segwitFlag && { witnesses: rest.inputs.map(() => witness) }) }),
      );
      const expected = made.flatMap(({ outputs }, transaction) =>
        outputs.flatMap(({ amount, script }, position) =>
          amount > 0n && script.length > 0 && script[0] !== 0x6a
            ? [{ transaction, position, units: amount, recipient: hex.encode(script) }]
            : [],
        ),
      );
      expect(transfersOf(blockOf(raws))).toEqual(
        expected.map((transfer) => ({ ...transfer, asset: 'native', sender: null })),
      );
    }),
    { numRuns: 100 },
  );
});

test('bytes that are no whole block are refused: cut anywhere, or with more behind', () => {
  const whole = Buffer.from(GENESIS, 'hex');
  for (let length = 80; length < whole.length; length += 1)
    expect(() => scanBitcoinBlock(whole.subarray(0, length), 0)).toThrow();
  expect(() => scanBitcoinBlock(Buffer.concat([whole, Buffer.alloc(1)]), 0)).toThrow();
});
