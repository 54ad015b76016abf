import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

/** Coins arrive without a message: the beneficiary VASP asks the originator VASP for the data. */
export async function playClaim(alpine: DemoParty, harbour: DemoParty): Promise<void> {
  step('Coins reach Harbour Custody without a message: it claims the data from Alpine Exchange.');
  const transactionHash = `0x${freshAddress().slice(2)}${freshAddress().slice(2, 26)}`;
  const claim = await harbour.api.claims.create({
    asset: 'ETH',
    blockchainInfo: { blockchain: 'Ethereum', transactionHash, destination: freshAddress() },
    vaspInfo: { originatorVaspName: alpine.name },
    beneficiary: { name: 'Jonas Brandt' },
  });
  detail(`POST /claims -> ${claim.id}, ${claim.status}, to be answered until ${claim.deadlineAt}`);
  const { body: asked } = await alpine.receiver.waitForClaim(
    ({ direction, blockchainInfo }) =>
      direction === 'INCOMING' && blockchainInfo.transactionHash === transactionHash,
  );
  detail(`Alpine received a webhook: ${harbour.name} asks for ${asked.requestedFields.join(', ')}`);

  step('Alpine Exchange answers; the message completes the record of Harbour Custody.');
  await alpine.api.claims.answer(asked.id, {
    amount: '0.25',
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
  });
  detail(`POST /claims/${asked.id}/answer`);
  const { body: answered } = await harbour.receiver.waitForClaim(
    ({ id, status }) => id === claim.id && status === 'ANSWERED',
  );
  const completed = await harbour.api.transactions.get(answered.transactionId ?? '');
  detail(`Harbour received: ANSWERED. The originator of its transaction is ${completed.originator?.name}`);
}
