import { listChecks } from '../../db/wallet-intelligence/list-checks.ts';
import { CheckHistoryQuery, WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listWalletChecksEndpoint = defineEndpoint({
  operationId: 'listWalletChecks',
  method: 'GET',
  path: '/kyw/history',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallet Intelligence',
  summary: 'List the checks of wallets',
  description: 'Newest first, at most 100.',
  query: CheckHistoryQuery,
  responses: { 200: pageOf(WalletCheck) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listChecks(db, caller.tenantId, query));
  },
});
