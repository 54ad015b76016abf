import { z } from 'zod';
import { getCheck } from '../../db/wallet-intelligence/get-check.ts';
import { WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getWalletCheckEndpoint = defineEndpoint({
  operationId: 'getWalletCheck',
  method: 'GET',
  path: '/kyw/history/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallet Intelligence',
  summary: 'Read a stored check of a wallet',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The check.', schema: WalletCheck } },
  errors: [],
  async handle({ params, caller }, { db }) {
    return { status: 200, body: await getCheck(db, caller.tenantId, params.id) };
  },
});
