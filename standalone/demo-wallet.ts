import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

interface Named {
  originator: { name: string } | null;
  blockchainInfo: { destinationWalletId: number | null };
}

/** A message for an address that its receiver has not registered: hidden until the receiver confirms the wallet. */
export async function playDetectedWallet(alpine: DemoParty, harbour: DemoParty): Promise<void> {
  step('Alpine Exchange names Harbour Custody for an address that Harbour has not registered.');
  const destination = freshAddress();
  await alpine.api.post('/transactions', {
    asset: 'ETH',
    amount: '0.4',
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName: harbour.name },
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt', country: 'DE' },
  });
  const hidden = await heardOf(harbour, destination, ({ originator }) => originator === null);
  detail('Harbour got its webhook: OWNERSHIP_UNCONFIRMED, originator and beneficiary are hidden');

  step('Harbour Custody finds that the wallet is its own after all and confirms it.');
  const walletId = hidden.blockchainInfo.destinationWalletId;
  await harbour.api.patch('/wallets', [walletId]);
  detail(`PATCH /wallets [${walletId}]`);
  const visible = await heardOf(harbour, destination, ({ originator }) => originator !== null);
  detail(`Harbour got the webhook again: the originator is ${visible.originator?.name}`);
}

/** The first webhook about a message to the address that fits. */
async function heardOf(
  party: DemoParty,
  destination: string,
  fits: (body: Named) => boolean,
): Promise<Named> {
  const { body } = await party.receiver.waitFor((webhook) => {
    const told = webhook.body as unknown as Named & { blockchainInfo: { destination: string } };
    return told.blockchainInfo?.destination === destination && fits(told);
  });
  return body as unknown as Named;
}
