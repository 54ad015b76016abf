import { CreateClaimBody, TransferClaim } from '../../domain/claims/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { makeClaim } from './make-claim.ts';

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
    'has registered `origin`; one on no network gets a link by e-mail. It is FAILED where nothing leads there. `transactionId` is your INCOMING record of the ' +
    'transfer, which the answer completes; it is made if you have none. A claim ends with the message of the transfer: it is ' +
    'ANSWERED at once if that came before. While a claim for the same blockchain, hash and destination is open, another one ' +
    'is 409 with its `id`. Three claims for one hash and destination are taken in 24 hours, then 429. A deposit that you have recorded as from a self-hosted wallet, or have declined, is 409; the latter with its `id`. ' +
    '`beneficiary` is screened with that record: one that names the beneficiary otherwise, or is decided and names none, is 409.',
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
    return await makeClaim(db, { body, caller, commit });
  },
});
