import { startBitcoinNode, type BitcoinNode } from '../../fakes/bitcoin-node.ts';
import {
  bitcoinWallet,
  signedTransaction,
  strangeAddress,
  WALLET_KINDS,
  type BitcoinWallet,
} from '../../chains/bitcoin-wallet.ts';
import { chainOf, layScanGround, type ScanGround } from '../../chains/scan-ground.ts';
import { openNode } from '../../../chains/open-node.ts';
import { lastingPort } from '../../lasting-port.ts';
import type { Json } from '../../api-client.ts';

let bitcoin: BitcoinNode;
let ground: ScanGround;

const owner = bitcoinWallet('p2wpkh', 'owner');
const stranger = bitcoinWallet('p2wpkh', 'stranger');
const deposit = bitcoinWallet('p2wpkh', 'deposit');
const AMOUNT = '0.00001234';
const UNITS = 1_234n;

describe.each(['esplora', 'bitcoind'] as const)('satoshi tests on Bitcoin over %s', (protocol) => {
  beforeAll(async () => {
    bitcoin = await startBitcoinNode();
    const chain = chainOf({
      name: 'Bitcoin Regtest',
      caip2: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
      kind: 'BITCOIN',
      nativeAsset: 'BTC',
      decimals: 8,
      confirmations: 2,
      ...(protocol === 'esplora' ? { esploraUrl: bitcoin.url } : { bitcoindUrl: bitcoin.coreUrl }),
    });
    ground = await layScanGround(chain);
  });
  afterAll(async () => {
    await ground.stop();
    await bitcoin.stop();
  });

  const start = async (from: BitcoinWallet, to: BitcoinWallet, amount: string | undefined = AMOUNT) =>
    await ground.start({
      asset: 'BTC',
      address: from.address,
      satoshiFlow: { depositAddress: to.address, ...(amount !== undefined && { amount }) },
    } satisfies Json);
  /** Pays from these wallets to the address, with change to the first of them. */
  const pay = (from: readonly BitcoinWallet[], to: BitcoinWallet, units = UNITS) =>
    signedTransaction(
      from.map((wallet) => bitcoin.fund(wallet)),
      [
        { address: from[0]?.address ?? '', units: 9_000_000n },
        { address: to.address, units },
      ],
    );
  const mineAndScan = async (blocks = 2) => {
    for (let block = 0; block < blocks; block += 1) bitcoin.mine();
    await ground.scan();
  };
  const fresh = (kind: (typeof WALLET_KINDS)[number]) => bitcoinWallet(kind, `deposit ${Math.random()}`);

  test.each(WALLET_KINDS.flatMap((from) => WALLET_KINDS.map((to) => [from, to] as const)))(
    'a transfer from %s to %s, with change, verifies once it is deep enough',
    async (from, to) => {
      const [wallet, target] = [bitcoinWallet(from, 'owner'), fresh(to)];
      const made = await start(wallet, target);
      const paid = pay([wallet], target);
      bitcoin.mine([paid]);
      await ground.scan();
      expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING' });
      await mineAndScan(1);
      expect(await ground.get(made.id)).toMatchObject({
        status: 'VERIFIED',
        verifiedTransactionHash: paid.hash,
        warnings: [],
      });
    },
  );

  test('a generated amount is 600 to 1,999 satoshis', async () => {
    const target = fresh('p2tr');
    const made = await ground.start({
      asset: 'BTC',
      address: owner.address,
      satoshiFlow: { depositAddress: target.address },
    });
    const units = BigInt(Math.round(Number(made.satoshiFlow.amount) * 1e8));
    expect(units).toBeGreaterThanOrEqual(600n);
    expect(units).toBeLessThan(2_000n);
    bitcoin.mine([pay([owner], target, units)]);
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
  });

  test('several inputs, all of the address, verify; with one of somebody else a person decides', async () => {
    const [alone, mixed] = [fresh('p2wpkh'), fresh('p2wpkh')];
    const [ours, both] = [await start(owner, alone), await start(owner, mixed)];
    const joint = pay([owner, stranger], mixed);
    bitcoin.mine([pay([owner, owner], alone), joint]);
    await mineAndScan();
    expect(await ground.get(ours.id)).toMatchObject({ status: 'VERIFIED', warnings: [] });
    expect(await ground.get(both.id)).toMatchObject({
      status: 'ACTION_REQUIRED',
      warnings: ['MIXED_INPUTS'],
      verifiedTransactionHash: joint.hash,
    });
  });

  test('near misses warn: another amount, another sender', async () => {
    const [one, other] = [fresh('p2tr'), fresh('p2sh')];
    const [amount, sender] = [await start(owner, one), await start(owner, other)];
    bitcoin.mine([pay([owner], one, UNITS + 1n), pay([stranger], other)]);
    await mineAndScan();
    expect(await ground.get(amount.id)).toMatchObject({ status: 'PENDING', warnings: ['WRONG_AMOUNT'] });
    expect(await ground.get(sender.id)).toMatchObject({ status: 'PENDING', warnings: ['WRONG_SENDER'] });
  });

  test('two outputs of one transaction verify two verifications, one output only one', async () => {
    const target = fresh('p2wpkh');
    const made = [await start(owner, target), await start(owner, target), await start(owner, target)];
    const paid = signedTransaction(
      [bitcoin.fund(owner)],
      [
        { address: target.address, units: UNITS },
        { address: owner.address, units: 5_000n },
        { address: target.address, units: UNITS },
      ],
    );
    bitcoin.mine([paid]);
    await mineAndScan();
    const statuses = await Promise.all(made.map(async ({ id }) => (await ground.get(id)).status));
    expect(statuses).toEqual(['VERIFIED', 'VERIFIED', 'PENDING']);
  });

  test('in a block that pays more than a thousand others the transfer is found as well', async () => {
    const target = fresh('p2wpkh');
    const made = await start(owner, target);
    const crowd = Array.from({ length: 1_200 }, (_, index) => ({
      address: strangeAddress(`one of many ${index}`),
      units: 700n,
    }));
    const busy = signedTransaction([bitcoin.fund(stranger)], crowd);
    bitcoin.mine([busy, pay([owner], target)]);
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
  });

  test('new coins from nobody prove nothing', async () => {
    const target = fresh('p2wpkh');
    const made = await start(owner, target);
    bitcoin.fund(target, UNITS);
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING', warnings: ['WRONG_SENDER'] });
  });

  test('a fork of the same height takes a transfer back; in the other fork it counts anew', async () => {
    const target = fresh('p2tr');
    const made = await start(owner, target);
    const paid = pay([owner], target);
    bitcoin.mine([paid]);
    await ground.scan();
    bitcoin.drop(1);
    bitcoin.mine();
    await mineAndScan(0);
    await mineAndScan(3);
    expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING', warnings: [] });
    bitcoin.mine([paid]);
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({
      status: 'VERIFIED',
      verifiedTransactionHash: paid.hash,
    });
  });

  test('a fork after VERIFIED warns when the transfer is gone, and not when it is only in another block', async () => {
    const [gone, moved] = [fresh('p2wpkh'), fresh('p2wpkh')];
    const [lost, kept] = [await start(owner, gone), await start(owner, moved)];
    const paid = pay([owner], moved);
    bitcoin.mine([pay([owner], gone), paid]);
    await mineAndScan();
    const before = await ground.get(kept.id);
    expect([before.status, (await ground.get(lost.id)).status]).toEqual(['VERIFIED', 'VERIFIED']);
    bitcoin.drop(3);
    bitcoin.mine();
    bitcoin.mine([paid]);
    await mineAndScan();
    expect(await ground.get(lost.id)).toMatchObject({ status: 'VERIFIED', warnings: ['PROOF_REORGED'] });
    expect(await ground.get(kept.id)).toEqual(before);
  });

  test('raw blocks are read once, and the node is asked only about transfers that may be expected', async () => {
    const made = await start(owner, deposit);
    await ground.scan();
    bitcoin.mine([pay([stranger], stranger), pay([stranger], owner), pay([owner], deposit)]);
    const { length } = bitcoin.asked;
    await ground.scan();
    const asked = bitcoin.asked
      .slice(length)
      .map((path) => path.replace(/[0-9a-f]{64}/, '#').replace(/\d+$/, 'n'));
    // Three blocks gave the coins.
    const expected = {
      esplora: {
        tip: ['/api/blocks/tip/hash', '/api/block/#'],
        block: ['/api/block-height/n', '/api/block/#/raw'],
        candidate: '/api/tx/#',
      },
      bitcoind: {
        tip: ['getblockchaininfo'],
        block: ['getblockhash', 'getblock'],
        candidate: 'getrawtransaction',
      },
    }[protocol];
    const blocks = Array.from({ length: 4 }, () => expected.block).flat();
    expect(asked).toEqual([...expected.tip, ...blocks, expected.candidate]);
    await mineAndScan(1);
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
  });

  test('with the first address down the second is asked; with all down the scan says so', async () => {
    const chain = ground.api.config.chains[0];
    if (!chain) throw new Error('no chain');
    const down = `http://127.0.0.1:${await lastingPort()}`;
    const url = new URL(chain.esploraUrl[0] ?? chain.bitcoindUrl[0] ?? '');
    const node = (urls: string[]) =>
      openNode({ ...chain, ...(protocol === 'esplora' ? { esploraUrl: urls } : { bitcoindUrl: urls }) });
    expect((await node([down, url.href]).tip()).height).toBe(bitcoin.height());
    await expect(node([down]).tip()).rejects.toThrow();
  });

  test('without a node, or for an asset that is not there, SATOSHI_TEST is refused and nothing is stored', async () => {
    const count = async () => (await ground.api.db.pool.query('select 1 from verifications')).rowCount;
    const before = await count();
    const create = async (body: Json) =>
      await ground.tenant.post('/wallet-verification', {
        blockchain: 'Bitcoin Regtest',
        asset: 'BTC',
        address: owner.address,
        allowedFlows: ['SATOSHI_TEST'],
        satoshiFlow: { depositAddress: deposit.address },
        ...body,
      });
    const evm = { address: `0x${'1'.repeat(40)}`, satoshiFlow: { depositAddress: `0x${'2'.repeat(40)}` } };
    const refused = [
      await create({ blockchain: 'Ethereum', asset: 'ETH', ...evm }),
      await create({ asset: 'USDT' }),
      await create({ satoshiFlow: { depositAddress: deposit.address, amount: '0.000000001' } }),
      await create({ satoshiFlow: { depositAddress: deposit.address, amount: '0.00000293' } }),
      await create({ satoshiFlow: { depositAddress: owner.address } }),
    ];
    expect(refused.map(({ status, body }) => [status, (body['errors'] as Json[])[0]?.['code']])).toEqual([
      [400, 'chain_not_scanned'],
      [400, 'asset_not_scanned'],
      [400, 'too_many_decimals'],
      [400, 'below_dust'],
      [400, 'same_as_wallet'],
    ]);
    expect(await count()).toBe(before);
  });
});
