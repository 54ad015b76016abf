import { Waybill } from '@waybill/client';
import type { RunningProduct } from './running-product.ts';
import { PARTNER_VASP } from './demo-partner.ts';
import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

/** A message to a VASP that is no tenant: the partner on whose network it is answers for it. */
export async function playPartner({ apiUrl, partner }: RunningProduct, alpine: DemoParty): Promise<void> {
  step(`${PARTNER_VASP} is no tenant here, but on the network of a partner, ${partner.name}.`);
  const { id } = await alpine.api.transactions.create({
    asset: 'ETH',
    amount: '0.6',
    blockchainInfo: {
      blockchain: 'Ethereum',
      destination: freshAddress(),
      destinationType: 'CUSTODIAL',
    },
    vaspInfo: { beneficiaryVaspName: PARTNER_VASP },
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
    beneficiary: { type: 'NATURAL', name: 'Mei Tan', country: 'SG' },
  });
  const sent = await alpine.receiver.waitFor((body) => body.id === id && body.status === 'DELIVERED');
  detail(`Alpine received DELIVERED, over ${sent.body.travelRuleMessageSource}`);
  const network = new Waybill({ baseUrl: apiUrl, partnerKey: partner.apiKey });
  const [incoming] = await network.request('GET', '/partners/me/transactions');
  if (!incoming) throw new Error('The partner has not got the message.');
  detail(`GET /partners/me/transactions -> ${incoming.id}, sealed: ${incoming.sealed}`);
  await network.request('PATCH', '/partners/me/transactions/{id}', {
    path: { id: incoming.id },
    body: { destinationConfirmed: true, status: 'CONFIRMED' },
  });
  detail(`PATCH says that the address is one of ${PARTNER_VASP}, and confirms the transfer`);
  await alpine.receiver.waitFor((body) => body.id === id && body.status === 'CONFIRMED');
  detail('Alpine received CONFIRMED');
}
