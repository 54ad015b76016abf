import { scanRound } from '../../activities/blockchain/scan-activities.ts';
import type { ConfiguredChain } from '../../chains/chains-file.ts';
import { openNode } from '../../chains/open-node.ts';
import { bitcoinWallet, signedTransaction } from '../chains/bitcoin-wallet.ts';
import { chainOf } from '../chains/scan-ground.ts';
import { startBitcoinNode, type BitcoinNode } from '../fakes/bitcoin-node.ts';
import { createTenant, WEBHOOK_URL } from '../factories/tenant.ts';
import { createVerification, submit } from '../factories/verification.ts';
import { useApi } from '../use-api.ts';
import { openCutWorker, untilDone, type CutWorker } from './cut-worker.ts';
import { endOf, expectSameEnds, type Story } from './stories.ts';
import { fileChains } from '../chains/file-chains.ts';

// The worker loses its database connection at each statement while it reads a blockchain for a verification.

let bitcoin: BitcoinNode;
let chain: ConfiguredChain;
let worker: CutWorker;

const registerChains = fileChains();
const { api, database } = useApi(async () => {
  bitcoin = await startBitcoinNode();
  chain = chainOf({
    name: 'Bitcoin Regtest',
    caip2: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
    kind: 'BITCOIN',
    nativeAsset: 'BTC',
    decimals: 8,
    confirmations: 2,
    esploraUrl: bitcoin.url,
  });
  registerChains([chain]);
  return { config: { chains: [chain] } };
});

beforeAll(async () => {
  worker = await openCutWorker(api, database);
});
afterAll(async () => {
  await worker.close();
  await bitcoin.stop();
});

const owner = bitcoinWallet('p2wpkh', 'owner');
const AMOUNT = '0.00001234';
let stories = 0;

const scan = async () =>
  void (await untilDone(async () => await scanRound(worker.deps, chain, openNode(chain))));

/** A transfer proves the wallet, and then a fork takes it back. */
async function tell(): Promise<Story> {
  const tenant = await createTenant(api, { webhookUrl: WEBHOOK_URL });
  const deposit = bitcoinWallet('p2tr', `deposit ${(stories += 1)}`);
  const { id } = await createVerification(tenant, {
    blockchain: chain.name,
    asset: 'BTC',
    address: owner.address,
    allowedFlows: ['SATOSHI_TEST'],
    satoshiFlow: { depositAddress: deposit.address, amount: AMOUNT },
  });
  expect((await submit(tenant, id, { verificationFlow: 'SATOSHI_TEST' })).status).toBe(200);
  const coin = bitcoin.fund(owner);
  await scanRound({ ...worker.deps, db: api.db }, chain, openNode(chain));
  const paid = signedTransaction([coin], [{ address: deposit.address, units: 1_234n }]);
  return async () => {
    bitcoin.mine([paid]);
    await scan();
    bitcoin.mine();
    bitcoin.mine();
    await scan();
    const told = await worker.playOut([tenant]);
    bitcoin.drop(3);
    for (let blocks = 0; blocks < 4; blocks += 1) bitcoin.mine();
    await scan();
    for (const webhook of await worker.playOut([tenant])) told.add(webhook);
    return await endOf(database, [tenant], told);
  };
}

test('a transfer verifies, and a fork that takes it back is told', async () => {
  expect(await expectSameEnds(worker, tell)).toMatchObject({
    records: [{ status: 'VERIFIED', warnings: ['PROOF_REORGED'] }],
    forgotten: [],
  });
});
