import { z } from 'zod';
import { getWallet } from '../../db/wallets/get-wallet.ts';
import { travelTokenOf } from '../../db/trp/travel-tokens.ts';
import { DomainError } from '../../domain/errors.ts';
import { encodeTravelAddress } from '../../domain/travel-address/travel-address.ts';
import { INQUIRY_PATH } from '../../domain/travel-address/travel-url.ts';
import { isTrpOpen, trpUrlOf } from '../../process/settings.ts';
import { defineEndpoint, IdParam } from '../endpoint.ts';
import { travelAddressRules } from '../transactions/refuse-travel-address.ts';

const TravelAddress = z
  .strictObject({
    travelAddress: z.string().describe('For the customer to give to the VASP that sends the coins.'),
    walletId: z.int().describe('The wallet to which inquiries by this address lead.'),
  })
  .meta({ id: 'TravelAddress' });

export const getTravelAddressEndpoint = defineEndpoint({
  operationId: 'getTravelAddress',
  method: 'GET',
  path: '/wallets/{id}/travel-address',
  auth: 'TENANT',
  // The first reading makes the address, by which anybody can write to the tenant.
  permission: 'DECIDE',
  refusesHead: true,
  limit: 'READS',
  tag: 'Wallets',
  summary: 'Read the travel address of a wallet',
  description:
    'Any VASP that speaks the Travel Rule Protocol (TRP 3) can send a message by it. The address stays the same; it leads ' +
    'nowhere while the wallet is not CONFIRMED. 409 for a wallet that is not, and where the operator has not set up TRP.',
  params: z.strictObject({ id: IdParam }),
  responses: { 200: { description: 'The travel address.', schema: TravelAddress } },
  errors: ['conflict'],
  async handle({ params, caller }, { db, settings, writeInTurn }) {
    const { tenantId } = caller;
    const wallet = await getWallet(db, tenantId, params.id);
    if (wallet.status !== 'CONFIRMED')
      throw new DomainError('conflict', 'Only a CONFIRMED wallet has a travel address.');
    if (!isTrpOpen(settings)) throw notSetUp();
    const token = await writeInTurn(
      tenantId,
      async () => await travelTokenOf(db.pool, { tenantId, walletId: wallet.id, now: new Date() }),
    );
    const encoded = encodeTravelAddress(
      new URL(`${trpUrlOf(settings)}${INQUIRY_PATH}${token}`),
      travelAddressRulesOfOwn(settings),
    );
    if (!encoded.ok) throw notSetUp();
    return { status: 200, body: { travelAddress: encoded.travelAddress, walletId: wallet.id } };
  },
});

/** Our own address may be one of this machine in a sandbox, whether others may be called there or not. */
function travelAddressRulesOfOwn(settings: Parameters<typeof travelAddressRules>[0]) {
  const rules = travelAddressRules(settings);
  const { hostname } = new URL(trpUrlOf(settings));
  return rules.environment === 'sandbox'
    ? { ...rules, allowedHosts: [...rules.allowedHosts, hostname] }
    : rules;
}

function notSetUp(): DomainError {
  return new DomainError(
    'conflict',
    'The operator of this deployment has not set up the Travel Rule Protocol.',
  );
}
