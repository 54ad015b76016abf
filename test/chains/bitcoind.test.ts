import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bitcoindNode } from '../../chains/bitcoind.ts';
import { startBitcoinNode, type BitcoinNode } from '../fakes/bitcoin-node.ts';
import { bitcoinWallet, signedTransaction } from './bitcoin-wallet.ts';
import { chainOf } from './scan-ground.ts';

let bitcoin: BitcoinNode;
beforeAll(async () => {
  bitcoin = await startBitcoinNode();
});
afterAll(async () => await bitcoin.stop());

const nodeAt = (url: string) =>
  bitcoindNode(
    chainOf({
      name: 'Bitcoin Regtest',
      caip2: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
      kind: 'BITCOIN',
      nativeAsset: 'BTC',
      decimals: 8,
      bitcoindUrl: url,
    }),
  );

test('a wrong password is trouble with the node, not an empty chain', async () => {
  await expect(nodeAt(bitcoin.coreUrl.replace('user', 'other')).headAt(0)).rejects.toThrow('refused');
});

test('a height that is not there yet is no trouble', async () => {
  expect(await nodeAt(bitcoin.coreUrl).headAt(1_000)).toBeUndefined();
  expect(await nodeAt(bitcoin.coreUrl).blockAt(1_000)).toBeUndefined();
});

test('a node that cannot say what an input spends proves nothing', async () => {
  const wallet = bitcoinWallet('p2wpkh', 'a');
  const paid = signedTransaction([bitcoin.fund(wallet)], [{ address: wallet.address, units: 1_000n }]);
  bitcoin.mine([paid]);
  const node = nodeAt(bitcoin.coreUrl);
  const block = await node.blockAt(bitcoin.height());
  if (!block) throw new Error('no block');
  const [index] = block.recipientHashes.flatMap((_, at) =>
    block.transferAt(at).transaction === 1 ? [at] : [],
  );
  const transfer = block.transferAt(index ?? -1);
  expect((await node.evidenceOf(block, transfer)).senders).toEqual([transfer.recipient]);
  const pruned = await answering({ result: { vin: [{ txid: '00', vout: 0 }] }, error: null });
  await expect(nodeAt(pruned.url).evidenceOf(block, transfer)).rejects.toThrow('inputs');
  await pruned.stop();
});

async function answering(body: unknown): Promise<{ url: string; stop: () => Promise<void> }> {
  const server: Server = createServer((_request, response) => response.end(JSON.stringify(body)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
