import type { Transaction } from '@waybill/client';
import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

/** A message for an address that its receiver has not registered: hidden until the receiver confirms the wallet. */
export async function playDetectedWallet(alpine: DemoParty, harbour: DemoParty): Promise<void> {
  step('Alpine Exchange names Harbour Custody for an address that Harbour has not registered.');
  const destination = freshAddress();
  await alpine.api.transactions.create({
    asset: 'ETH',
    amount: '0.4',
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName: harbour.name },
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt', country: 'DE' },
  });
  const hidden = await waitForMessage(harbour, destination, ({ originator }) => originator === null);
  detail('Harbour received a webhook: OWNERSHIP_UNCONFIRMED, originator and beneficiary are hidden');

  step('Harbour Custody finds that the wallet is its own and confirms it.');
  const walletId = hidden.blockchainInfo.destinationWalletId;
  if (walletId === null) throw new Error('The webhook names no wallet.');
  await harbour.api.wallets.confirm([walletId]);
  detail(`PATCH /wallets [${walletId}]`);
  const visible = await waitForMessage(harbour, destination, ({ originator }) => originator !== null);
  detail(`Harbour received the webhook again: the originator is ${visible.originator?.name}`);
}

/** Waits for the first webhook of a message to the destination whose body fits. */
async function waitForMessage(
  party: DemoParty,
  destination: string,
  fits: (body: Transaction) => boolean,
): Promise<Transaction> {
  const { body } = await party.receiver.waitFor(
    (transaction) => transaction.blockchainInfo.destination === destination && fits(transaction),
  );
  return body;
}
