import { z } from 'zod';
import { listWallets } from '../../db/wallets/list-wallets.ts';
import { ListWalletsQuery } from '../../domain/wallets/list.ts';
import { viewWallet, Wallet } from '../../domain/wallets/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listWalletsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/wallets',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallets',
  summary: 'List custodial wallets',
  description:
    'Newest first. `q` finds addresses and assets exactly or by prefix, and metadata by whole words and by prefixes of ' +
    'three letters and more.',
  query: ListWalletsQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Wallet), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ query, caller, wantsCount }, { db }) {
    const { wallets, total } = await listWallets(db, caller.tenantId, query, wantsCount);
    return { status: 200, body: wallets.map(viewWallet), headers: countHeader(total) };
  },
});
