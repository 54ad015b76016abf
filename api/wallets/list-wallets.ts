import { listWallets } from '../../db/wallets/list-wallets.ts';
import { ListWalletsQuery } from '../../domain/wallets/list.ts';
import { viewWallet, Wallet } from '../../domain/wallets/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listWalletsEndpoint = defineEndpoint({
  operationId: 'listWallets',
  method: 'GET',
  path: '/wallets',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallets',
  summary: 'List custodial wallets',
  description:
    'Newest first. `q` finds addresses and assets exactly or by prefix, and metadata by whole words and by prefixes of at ' +
    'least three letters.',
  query: ListWalletsQuery,
  responses: { 200: pageOf(Wallet) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listWallets(db, caller.tenantId, query), viewWallet);
  },
});
