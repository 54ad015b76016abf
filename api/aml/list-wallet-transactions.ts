import { z } from 'zod';
import { requireProvider } from '../../aml/analyse.ts';
import { findConnectedTransactions } from '../../aml/find-connected-transactions.ts';
import { WalletTransactions } from '../../domain/aml/chain-view.ts';
import { pageFields } from '../../domain/aml/history.ts';
import { walletSubject } from '../../domain/aml/subject.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listWalletTransactionsEndpoint = defineEndpoint({
  operationId: 'listAmlWalletTransactions',
  method: 'GET',
  path: '/aml/analysis/{blockchain}/wallet/{address}/transactions',
  auth: 'TENANT',
  limit: 'SCREENING',
  readsOutOfTurn: true,
  tag: 'AML',
  summary: 'List transactions connected to a wallet',
  description:
    'At most the newest 200. They are read from the Esplora server or the indexer that CHAINS_FILE has for the ' +
    'blockchain, since no provider offers them; without one `supported` is false, also with Bitcoin Core alone, which has no ' +
    'index of addresses.',
  params: z.strictObject({ blockchain: z.string(), address: z.string() }),
  query: z.strictObject(pageFields),
  responses: { 200: { description: 'One page, newest first.', schema: WalletTransactions } },
  errors: ['provider_not_activated'],
  async handle({ params, query: { offset, limit }, caller: { tenantId } }, { aml, settings }) {
    const { blockchain, value: address } = walletSubject(params);
    await requireProvider(aml, tenantId);
    const view = await findConnectedTransactions(settings.chains, blockchain, address);
    const items = view.items.slice(offset, offset + limit);
    return { status: 200, body: { blockchain, address, ...view, items } };
  },
});
