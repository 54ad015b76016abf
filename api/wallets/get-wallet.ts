import { z } from 'zod';
import { getWallet } from '../../db/wallets/get-wallet.ts';
import { viewWallet, Wallet } from '../../domain/wallets/schema.ts';
import { defineEndpoint, IdParam } from '../endpoint.ts';

export const getWalletEndpoint = defineEndpoint({
  operationId: 'getWallet',
  method: 'GET',
  path: '/wallets/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallets',
  summary: 'Read a custodial wallet',
  params: z.strictObject({ id: IdParam }),
  responses: { 200: { description: 'The wallet.', schema: Wallet } },
  errors: [],
  async handle({ params, caller }, { db }) {
    return { status: 200, body: viewWallet(await getWallet(db, caller.tenantId, params.id)) };
  },
});
