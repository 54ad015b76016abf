import { findConnectedTransactions } from '../../aml/find-connected-transactions.ts';
import { findReceivers } from '../../aml/find-receivers.ts';
import { bitcoinWallet, signedTransaction, strangeAddress } from '../chains/bitcoin-wallet.ts';
import { chainOf } from '../chains/scan-ground.ts';
import { startBitcoinNode, type BitcoinNode } from '../fakes/bitcoin-node.ts';
import { startFakeService, type FakeService } from '../fakes/chain-services.ts';

const NAME = 'Bitcoin Regtest';
const PAYER = bitcoinWallet('p2wpkh', 'payer');
const PAYEE = strangeAddress('payee');
const TXID = 'ab'.repeat(32);

let core: BitcoinNode;
let indexer: FakeService;
beforeAll(async () => {
  core = await startBitcoinNode();
  indexer = await startFakeService(({ url }) => esploraAnswer(url.pathname));
});
afterAll(async () => await Promise.all([core.stop(), indexer.stop()]));
beforeEach(() => {
  core.hasIndex = true;
  core.mempool.length = 0;
  indexer.trouble = 'NONE';
});

/** An Esplora that knows one transaction: 0.5 to the payee, 0.1 back to the payer. */
function esploraAnswer(path: string): unknown {
  const at = (address: string, value: number) => ({
    scriptpubkey_address: address,
    scriptpubkey_type: 'v0_p2wpkh',
    value,
  });
  const transaction = {
    txid: TXID,
    fee: 100,
    weight: 400,
    vin: [{ prevout: at(PAYER.address, 60_000_100) }],
    vout: [at(PAYEE, 50_000_000), at(PAYER.address, 10_000_000)],
    status: { confirmed: true, block_height: 1, block_time: 1_700_000_000 },
  };
  return path.startsWith('/address/') ? [transaction] : transaction;
}

const chainsOf = (urls: object) => [
  chainOf({
    name: NAME,
    caip2: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
    kind: 'BITCOIN',
    nativeAsset: 'BTC',
    decimals: 8,
    ...urls,
  }),
];
const withCore = () => chainsOf({ bitcoindUrl: core.coreUrl });
const withIndexer = () => chainsOf({ indexerUrl: indexer.url });
const withBoth = () => chainsOf({ bitcoindUrl: core.coreUrl, indexerUrl: indexer.url });
const receivers = async (chains: ReturnType<typeof chainsOf>, hash: string) =>
  await findReceivers(chains, NAME, hash);

/** Pays the payee and gives the rest back. */
function payment() {
  return signedTransaction(
    [core.fund(PAYER, 60_000_100n)],
    [
      { address: PAYEE, units: 12_345_678n },
      { address: PAYER.address, units: 40_000_001n },
      { address: PAYEE, units: 1n },
    ],
  );
}

describe('receivers from Bitcoin Core alone', () => {
  test('are the outputs to others than the payers, with exact amounts', async () => {
    const paid = payment();
    core.mine([paid]);
    expect(await receivers(withCore(), paid.hash)).toEqual({
      supported: true,
      source: 'CHAIN_NODE',
      reason: null,
      items: [
        { address: PAYEE, amount: '0.12345678', asset: 'BTC' },
        { address: PAYEE, amount: '0.00000001', asset: 'BTC' },
      ],
    });
  });

  test('of new coins are all outputs', async () => {
    const { hash } = core.fund(PAYER, 5_000_000_000n);
    expect(await receivers(withCore(), hash)).toMatchObject({
      items: [{ address: PAYER.address, amount: '50', asset: 'BTC' }],
    });
  });

  test('are unknown before the transaction is in a block, since nobody tells the change then', async () => {
    const paid = payment();
    core.mempool.push(paid);
    expect(await receivers(withCore(), paid.hash)).toMatchObject({ reason: 'SOURCE_UNAVAILABLE', items: [] });
  });

  test('of an unknown transaction: not found with an index of transactions, no answer without one', async () => {
    const paid = payment();
    core.mine([paid]);
    expect(await receivers(withCore(), TXID)).toMatchObject({ reason: 'NOT_FOUND', items: [] });
    core.hasIndex = false;
    expect(await receivers(withCore(), TXID)).toMatchObject({ reason: 'SOURCE_UNAVAILABLE' });
    expect(await receivers(withCore(), paid.hash)).toMatchObject({ reason: 'SOURCE_UNAVAILABLE', items: [] });
  });

  test('are unavailable with a wrong password', async () => {
    const chains = chainsOf({ bitcoindUrl: core.coreUrl.replace('user', 'other') });
    expect(await receivers(chains, TXID)).toMatchObject({ supported: true, reason: 'SOURCE_UNAVAILABLE' });
  });
});

describe('the indexer of a Bitcoin chain', () => {
  const RECEIVERS = [{ address: PAYEE, amount: '0.5', asset: 'BTC' }];

  test('tells receivers where there is no node', async () => {
    expect(await receivers(withIndexer(), TXID)).toEqual({
      supported: true,
      source: 'INDEXER',
      reason: null,
      items: RECEIVERS,
    });
  });

  test('tells receivers where Bitcoin Core has no answer, and is not asked where it has one', async () => {
    const paid = payment();
    core.mine([paid]);
    indexer.asked.length = 0;
    expect(await receivers(withBoth(), paid.hash)).toMatchObject({ source: 'CHAIN_NODE', reason: null });
    expect(await receivers(withBoth(), TXID)).toMatchObject({ source: 'CHAIN_NODE', reason: 'NOT_FOUND' });
    expect(indexer.asked).toEqual([]);
    core.hasIndex = false;
    expect(await receivers(withBoth(), TXID)).toMatchObject({ source: 'INDEXER', items: RECEIVERS });
  });

  test.each([
    ['alone', withIndexer],
    ['beside Bitcoin Core', withBoth],
  ])('tells the transactions of a wallet, %s', async (_name, chains) => {
    expect(await findConnectedTransactions(chains(), NAME, PAYEE)).toEqual({
      supported: true,
      source: 'INDEXER',
      reason: null,
      items: [
        {
          hash: TXID,
          timestamp: '2023-11-14T22:13:20.000Z',
          direction: 'incoming',
          amount: '0.5',
          asset: 'BTC',
          counterparty: PAYER.address,
        },
      ],
    });
  });

  test('that fails is a reason, not an error', async () => {
    indexer.trouble = 'ERROR';
    expect(await receivers(withIndexer(), TXID)).toMatchObject({ reason: 'SOURCE_UNAVAILABLE' });
    expect(await findConnectedTransactions(withIndexer(), NAME, PAYEE)).toMatchObject({
      reason: 'SOURCE_UNAVAILABLE',
    });
  });
});

test('without a source of addresses the transactions of a wallet are not supported', async () => {
  for (const chains of [withCore(), chainsOf({})])
    expect(await findConnectedTransactions(chains, NAME, PAYEE)).toMatchObject({ supported: false });
  expect(await receivers(chainsOf({}), TXID)).toMatchObject({ supported: false });
});
