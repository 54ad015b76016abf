import { newId } from '../../db/new-id.ts';
import { newTransaction } from '../../domain/transactions/new-transaction.ts';
import { CreateTransactionBody, Transaction } from '../../domain/transactions/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { acceptTransaction } from './accept-transaction.ts';
import { refuseTravelAddress } from './refuse-travel-address.ts';

export const createTransactionEndpoint = defineEndpoint({
  operationId: 'createTransaction',
  method: 'POST',
  path: '/transactions',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'OWN_STATEMENT',
  tag: 'Transactions',
  summary: 'Send a Travel Rule message, or record an incoming transfer',
  description:
    'An OUTGOING message is stored and answered at once. Screening, the search for the beneficiary VASP and delivery ' +
    'follow, and every change is sent by webhook. With direction INCOMING, the tenant records a transfer that it has ' +
    'received, with the data that it has: a message of the originator VASP that it names completes it. If a message ' +
    'for that transfer came before, `warnings` has `DUPLICATE_TRANSFER` and `relatedTransactionId` names its record. Without `blockchain`, the main chain of the asset is used.',
  body: CreateTransactionBody,
  example: {
    body: {
      asset: 'ETH',
      amount: '1.5',
      blockchainInfo: {
        blockchain: 'Ethereum',
        destination: '0x52908400098527886E0F7030069857D2E4169EE7',
        destinationType: 'CUSTODIAL',
      },
      vaspInfo: { beneficiaryVaspName: 'Harbour Custody' },
      originator: { type: 'NATURAL', name: 'Anna Keller', dateOfBirth: '1984-03-12', country: 'CH' },
      beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
    },
  },
  responses: { 201: { description: 'Accepted and stored.', schema: Transaction } },
  // not_found: the stored answer of an Idempotency-Key is not replayed after its record was deleted.
  errors: ['conflict', 'not_found'],
  async handle({ body, caller, idempotency }, deps) {
    refuseTravelAddress(body, deps.settings);
    const now = new Date();
    const accepted = newTransaction(body, {
      id: newId(now),
      tenant: { id: caller.tenantId, name: caller.tenant.name, email: caller.tenant.email },
      actor: actorOf(caller),
      now,
      price: deps.priceOf(body.asset),
    });
    return await acceptTransaction(deps, caller, accepted, idempotency());
  },
});
