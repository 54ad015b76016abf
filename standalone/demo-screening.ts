import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

const LISTED_WALLET = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const WALLETS = [
  ['an exchange', '0x28C6c06298d514Db089934071355E5743bf21d60'],
  ['a mixer', '0x12D66f87A04A9E220743712cE6d9bB1B5616B8Fc'],
  ['on a sanctions list', LISTED_WALLET],
  ['unknown', freshAddress()],
] as const;

/** Checks four wallets with the bundled data, then holds and blocks a transfer to a listed one. */
export async function playScreening(alpine: DemoParty): Promise<void> {
  step('Alpine Exchange checks four wallets with the data that comes with the product, without a vendor.');
  for (const [what, address] of WALLETS) await checkWallet(alpine, what, address);

  step('A customer wants to pay to the listed wallet. The transfer is held before any message is sent.');
  const sent = await alpine.api.transactions.create({
    asset: 'ETH',
    amount: '0.5',
    blockchainInfo: { blockchain: 'Ethereum', destination: LISTED_WALLET, destinationType: 'NON_CUSTODIAL' },
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
  });
  await alpine.receiver.waitFor((body) => body.id === sent.id && body.subStatus === 'ON_HOLD');
  const { hold, screening } = await alpine.api.transactions.screening(sent.id);
  const subject = screening?.sanctions.subjects.find(({ role }) => role === 'destination');
  const match = subject?.screening?.matches[0];
  detail(`Alpine received: PENDING, ON_HOLD (${hold}); next action REVIEW`);
  detail(`Reason: the destination is a wallet of ${match?.name}, ${match?.listCode} ${match?.listingId}`);

  step('Only a review ends the hold. The reason of the review stays in the record; nobody else gets it.');
  const review = { decision: 'BLOCK', reason: 'The wallet is listed.' } as const;
  const { status } = await alpine.api.transactions.review(sent.id, review);
  detail(`POST /transactions/${sent.id}/review {"decision":"BLOCK"} -> ${status}`);
}

async function checkWallet({ api }: DemoParty, what: string, address: string): Promise<void> {
  const wallet = await api.walletIntelligence.check('Ethereum', address);
  const aml = await api.aml.checkWallet('Ethereum', address);
  const whose = wallet.entity ? `${wallet.entity.name}, ${wallet.entity.type}` : 'unknown owner';
  const risk = aml.riskScore === null ? `no score, ${aml.reason}` : `${aml.riskScore}, ${aml.riskSeverity}`;
  detail(`${address.slice(0, 10)}… (${what}): ${wallet.classification}, ${whose}; built-in risk ${risk}`);
}
