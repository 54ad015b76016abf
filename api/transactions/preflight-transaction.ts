import { newId } from '../../db/new-id.ts';
import { isReferenceTaken } from '../../db/transactions/find-transaction.ts';
import { transactionTable } from '../../db/transactions/row.ts';
import { pausedFromStart } from '../../domain/transactions/lifecycle/pause.ts';
import { newTransaction } from '../../domain/transactions/new-transaction.ts';
import { PreflightAnswer } from '../../domain/transactions/preflight/schema.ts';
import { viewPreflight } from '../../domain/transactions/preflight/view-preflight.ts';
import { CreateTransactionBody } from '../../domain/transactions/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { referenceTaken } from './reference-taken.ts';
import { refuseTravelAddress } from './refuse-travel-address.ts';

export const preflightTransactionEndpoint = defineEndpoint({
  operationId: 'preflightTransaction',
  method: 'POST',
  path: '/transactions/preflight',
  auth: 'TENANT',
  limit: 'SCREENING',
  idempotency: 'LEASE',
  tag: 'Transactions',
  summary: 'Ask what a transfer needs and would meet',
  description:
    'Takes the body of `POST /transactions`, refuses what that would refuse, a `reference` that is taken included, and answers which data the transfer lacks, where the ' +
    'message would go, which proof a self-hosted wallet needs, what lists and rules say, and how the transaction would ' +
    'stand after its first steps. Nothing is stored or sent, and no provider is paid. It is a forecast: a list, a rule or ' +
    "a wallet may change before the transaction is created, and the receiver's own decision is not foreseen.",
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
      originator: { type: 'NATURAL', name: 'Anna Keller' },
      beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
    },
  },
  responses: { 200: { description: 'What the transfer would meet now.', schema: PreflightAnswer } },
  errors: ['conflict'],
  async handle({ body, caller }, { db, settings, priceOf, readInTurn, preflight }) {
    refuseTravelAddress(body, settings);
    const now = new Date();
    const { record } = newTransaction(body, {
      id: newId(now),
      tenant: { id: caller.tenantId, name: caller.tenant.name, email: caller.tenant.email },
      actor: actorOf(caller),
      now,
      price: priceOf(body.asset),
    });
    const { tenantId, reference } = record;
    if (reference !== null)
      await readInTurn(tenantId, async () => {
        if (await isReferenceTaken(db.pool, tenantId, reference)) throw await referenceTaken(db.pool, record);
      });
    const paused = pausedFromStart(record, caller.tenant.outgoingBrake);
    const keys = await db.vault.tenantKeys(caller.tenantId);
    return { status: 200, body: viewPreflight(await preflight(transactionTable.withNewKey(paused, keys))) };
  },
});
