import { z } from 'zod';
import { requireProvider } from '../../aml/analyse.ts';
import { noChainSource, Receivers } from '../../domain/aml/chain-view.ts';
import { transactionSubject } from '../../domain/aml/subject.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listReceivers = defineEndpoint({
  method: 'GET',
  path: '/aml/analysis/{blockchain}/transaction/{txHash}/receivers',
  auth: 'TENANT',
  limit: 'SCREENING',
  tag: 'AML',
  summary: 'List the addresses that a transaction pays',
  params: z.strictObject({ blockchain: z.string(), txHash: z.string() }),
  responses: { 200: { description: 'The receivers.', schema: Receivers } },
  errors: ['provider_not_activated'],
  async handle({ params, caller: { tenantId } }, { aml }) {
    const { blockchain, value: txHash } = transactionSubject(params);
    await requireProvider(aml, tenantId);
    return { status: 200, body: { blockchain, txHash, ...noChainSource() } };
  },
});
