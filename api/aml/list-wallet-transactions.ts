import { z } from 'zod';
import { requireProvider } from '../../aml/analyse.ts';
import { noChainSource, WalletTransactions } from '../../domain/aml/chain-view.ts';
import { pageFields } from '../../domain/aml/history.ts';
import { walletSubject } from '../../domain/aml/subject.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listWalletTransactions = defineEndpoint({
  method: 'GET',
  path: '/aml/analysis/{blockchain}/wallet/{address}/transactions',
  auth: 'TENANT',
  limit: 'SCREENING',
  tag: 'AML',
  summary: 'List transactions connected to a wallet',
  params: z.strictObject({ blockchain: z.string(), address: z.string() }),
  query: z.strictObject(pageFields),
  responses: { 200: { description: 'One page, newest first.', schema: WalletTransactions } },
  errors: ['provider_not_activated'],
  async handle({ params, caller: { tenantId } }, { aml }) {
    const { blockchain, value: address } = walletSubject(params);
    await requireProvider(aml, tenantId);
    return { status: 200, body: { blockchain, address, ...noChainSource() } };
  },
});
