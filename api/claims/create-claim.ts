import { createClaim } from '../../db/lifecycle/create-claim.ts';
import { newId } from '../../db/new-id.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { newClaim } from '../../domain/claims/new-claim.ts';
import { CreateClaimBody, TransferClaim } from '../../domain/claims/schema.ts';
import { viewClaim } from '../../domain/claims/view-claim.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';

export const createClaimEndpoint = defineEndpoint({
  operationId: 'createClaim',
  method: 'POST',
  path: '/claims',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Claims',
  summary: 'Ask the originator VASP for the data of a transfer',
  description:
    'For coins that arrived without a message. The claim is delivered to the VASP of `originatorVaspName`, or to the one that ' +
    'has registered `origin`; it is FAILED where no network leads there. `transactionId` is your INCOMING record of the ' +
    'transfer, which the answer completes; it is made if you have none. A claim ends with the message of the transfer: it is ' +
    'ANSWERED at once if that came before. While a claim for the same blockchain, hash and destination is open, another one ' +
    'is 409 with its `id`.',
  body: CreateClaimBody,
  example: {
    body: {
      asset: 'ETH',
      blockchainInfo: {
        blockchain: 'Ethereum',
        transactionHash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
        origin: '0xde709f2102306220921060314715629080e2fb77',
        destination: '0x52908400098527886E0F7030069857D2E4169EE7',
      },
      vaspInfo: { originatorVaspName: 'Silent Test VASP' },
      beneficiary: { name: 'Jonas Brandt' },
    },
  },
  responses: { 201: { description: 'Stored; the delivery follows.', schema: TransferClaim } },
  errors: ['conflict', 'not_found'],
  async handle({ body, caller, commit }, { db }) {
    const { tenantId, tenant } = caller;
    const now = new Date();
    const actor = actorOf(caller);
    // The keys are loaded before the database transaction, to keep it short.
    const [settings] = await Promise.all([
      getTenantSettings(db.pool, tenantId),
      db.vault.tenantKeys(tenantId),
    ]);
    const asking = { id: tenantId, name: tenant.name, email: tenant.email, entityId: tenant.entityId };
    const change = newClaim(body, { id: newId(now), tenant: asking, actor, now, settings });
    const creation = { change, tenant: asking, timeZone: settings.timeZone, actor, now };
    return await commit(async (tx) => {
      const { record, outbox } = await createClaim(db, tx, creation);
      return { status: 201, body: viewClaim(record), outbox, shows: { kind: 'CLAIM', id: record.id } };
    });
  },
});
