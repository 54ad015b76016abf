import { z } from 'zod';
import { requireProvider } from '../../aml/analyse.ts';
import { findReceivers } from '../../aml/find-receivers.ts';
import { Receivers } from '../../domain/aml/chain-view.ts';
import { transactionSubject } from '../../domain/aml/subject.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listReceiversEndpoint = defineEndpoint({
  operationId: 'listAmlReceivers',
  method: 'GET',
  path: '/aml/analysis/{blockchain}/transaction/{txHash}/receivers',
  auth: 'TENANT',
  limit: 'SCREENING',
  readsOutOfTurn: true,
  tag: 'AML',
  summary: 'List the addresses that a transaction pays',
  description:
    'The addresses are read from the chain, since no provider offers them: the outputs of a Bitcoin transaction without ' +
    'its change, or the recipient and the token transfers of an EVM transaction. For Bitcoin the node is an ' +
    'Esplora, or Bitcoin Core with `txindex=1` (transactions in blocks); where it gives no answer, the indexer is asked. ' +
    '`supported` is false if CHAINS_FILE has neither for the blockchain.',
  params: z.strictObject({ blockchain: z.string(), txHash: z.string() }),
  responses: { 200: { description: 'The receivers.', schema: Receivers } },
  errors: ['provider_not_activated'],
  async handle({ params, caller: { tenantId } }, { aml, settings }) {
    const { blockchain, value: txHash } = transactionSubject(params);
    await requireProvider(aml, tenantId);
    const view = await findReceivers(settings.chains, blockchain, txHash);
    return { status: 200, body: { blockchain, txHash, ...view } };
  },
});
