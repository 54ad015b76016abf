import { createHash } from 'node:crypto';
import type { WalletVerification } from '@waybill/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { detail, step, type DemoParty } from './demo-steps.ts';

/** SHA-256 of the full name in lower case with single spaces; both tenants compute the same hash for one customer. */
const NAME_HASH = createHash('sha256').update('anna keller').digest('hex');

/** A payout to a customer's own wallet waits for a proof of ownership; another tenant reuses that proof. */
export async function playSelfHosted(alpine: DemoParty, harbour: DemoParty): Promise<void> {
  await alpine.api.tenant.patchSettings({ selfHosted: { thresholdEur: '1000' } });
  try {
    await payOut(alpine, harbour);
  } finally {
    // The other parts of the demo run without a threshold.
    await alpine.api.tenant.patchSettings({ selfHosted: { thresholdEur: null } });
  }
}

async function payOut(alpine: DemoParty, harbour: DemoParty): Promise<void> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  step(
    'Anna Keller wants 2 ETH in her own wallet. Above EUR 1,000 Alpine Exchange needs a proof that she owns it.',
  );
  const payout = await alpine.api.transactions.create({
    asset: 'ETH',
    amount: '2',
    blockchainInfo: { blockchain: 'Ethereum', destination: wallet.address, destinationType: 'NON_CUSTODIAL' },
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
  });
  const isPayout = ({ id }: { id: string }) => id === payout.id;
  await alpine.receiver.waitFor((body) => isPayout(body) && body.subStatus === 'OWNERSHIP_UNCONFIRMED');
  detail('Alpine received: PENDING, OWNERSHIP_UNCONFIRMED; next action PROVE_OWNERSHIP');

  step('Alpine Exchange requests a signature; Anna signs with the key of her wallet.');
  const verification = await ask(alpine, wallet.address);
  detail(`Her page: ${verification.url?.replace(/token=.*/, 'token=…')}`);
  const message = `I own ${wallet.address}. Verification ${verification.id}`;
  const signature = await wallet.signMessage({ message });
  const proof = { verificationFlow: 'SIGNATURE_PROOF', message, signature } as const;
  const proven = await alpine.api.verifications.submitProof(verification.id, proof);
  detail(`POST /wallet-verification/${verification.id}/verification -> ${proven.status}`);
  await alpine.receiver.waitFor((body) => isPayout(body) && body.status === 'CONFIRMED');
  const [last] = await alpine.api.transactions.events(payout.id);
  detail(`Alpine received: the payout is CONFIRMED by ${last?.basis?.kind} ${last?.basis?.id}`);

  step(
    'Anna uses the same wallet at Harbour Custody, which reuses the earlier proof without learning which tenant holds it.',
  );
  const reused = await ask(harbour, wallet.address);
  detail(
    `POST /wallet-verification -> ${reused.status}, match ${reused.reuse?.matchLevel}, proven ${reused.reuse?.verifiedAt}`,
  );
}

async function ask({ api }: DemoParty, address: string): Promise<WalletVerification> {
  const subject = { type: 'NATURAL', nameHash: NAME_HASH } as const;
  const reuse = { subject, policy: { maxReuseAgeDays: 90 } };
  return await api.verifications.create({ asset: 'ETH', blockchain: 'Ethereum', address, reuse });
}
