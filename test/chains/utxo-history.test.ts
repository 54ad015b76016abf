import { readUtxoHistory } from '../../chains/utxo-history.ts';
import { sharedSpellings } from '../../domain/addresses/shared-hashes.ts';
import { startFakeService, type FakeService } from '../fakes/chain-services.ts';

const OTHER = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
let written = '';
let explorer: FakeService;
beforeAll(async () => {
  const at = (address: string) => ({
    scriptpubkey_address: address,
    scriptpubkey_type: 'p2sh',
    value: 1_000,
  });
  explorer = await startFakeService(() => [
    {
      txid: 'ab'.repeat(32),
      fee: 100,
      weight: 400,
      vin: [{ prevout: at(OTHER) }],
      vout: [at(written), at(OTHER)],
      status: { confirmed: true, block_height: 1, block_time: 1_700_000_000 },
    },
  ]);
});
afterAll(async () => await explorer.stop());

/** Normal forms of wallets on Litecoin and Bitcoin Cash. */
const WALLETS = [
  'MJRSgZ3UUFcTBTBAaN38XAXvZLwRe8WVw7',
  'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
];

test.each(
  WALLETS.flatMap((wallet) =>
    sharedSpellings(wallet).flatMap((text) => [
      [wallet, text],
      [wallet, text.replace('bitcoincash:', '')],
    ]),
  ),
)('the wallet %s is known in the history of an explorer that writes %s', async (wallet, spelling) => {
  written = spelling;
  const { transactions } = await readUtxoHistory(explorer.url, wallet, AbortSignal.timeout(10_000));
  expect(transactions.map(({ outputs }) => outputs.map(({ address }) => address))).toEqual([[wallet, OTHER]]);
});
