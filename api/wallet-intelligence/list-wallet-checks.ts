import { z } from 'zod';
import { listChecks } from '../../db/wallet-intelligence/list-checks.ts';
import { CheckHistoryQuery, WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listWalletChecksEndpoint = defineEndpoint({
  method: 'GET',
  path: '/kyw/history',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallet Intelligence',
  summary: 'List the checks of wallets',
  description: 'Newest first, at most 100.',
  query: CheckHistoryQuery,
  responses: { 200: { description: 'One page.', schema: z.array(WalletCheck), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ query, caller, wantsCount }, { db }) {
    const { checks, total } = await listChecks(db, caller.tenantId, query, wantsCount);
    return { status: 200, body: checks, headers: countHeader(total) };
  },
});
