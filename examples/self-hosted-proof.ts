import { Waybill } from '@waybill/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

/**
 * A customer withdraws to a wallet of their own and proves with a signature that it is theirs. The account stands for the
 * customer's wallet: with a browser wallet, `verification.url` is the page to send them to instead.
 */
const { WAYBILL_URL = '', WAYBILL_KEY = '' } = process.env;
const waybill = new Waybill({ baseUrl: WAYBILL_URL, apiKey: WAYBILL_KEY });
const account = privateKeyToAccount(generatePrivateKey());

const payout = await waybill.transactions.create({
  asset: 'ETH',
  amount: '2',
  blockchainInfo: {
    blockchain: 'Ethereum',
    destination: account.address,
    destinationType: 'NON_CUSTODIAL',
  },
  originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
});

const { clearance } = await waybill.transactions.waitUntilCleared(payout.id, {
  timeoutMs: 60_000,
  onWait: async (transaction) => {
    console.log(`The payout waits: ${transaction.clearance.nextAction}`);
    if (transaction.clearance.nextAction === 'PROVE_OWNERSHIP') await prove();
  },
});
console.log(`The payout: ${clearance.outcome}`);

async function prove(): Promise<void> {
  const verification = await waybill.verifications.create({
    asset: 'ETH',
    blockchain: 'Ethereum',
    address: account.address,
    allowedFlows: ['SIGNATURE_PROOF'],
  });
  // A text that names the verification can be signed for nothing else.
  const message = `I own ${account.address}.\nVerification ${verification.id}`;
  const signature = await account.signMessage({ message });
  const proof = { verificationFlow: 'SIGNATURE_PROOF', message, signature } as const;
  const { status, riskScore } = await waybill.verifications.submitProof(verification.id, proof);
  console.log(`The wallet: ${status}, risk ${riskScore} of 100`);
}
