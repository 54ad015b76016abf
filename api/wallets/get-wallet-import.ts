import { z } from 'zod';
import { getImport } from '../../db/wallet-imports/get-import.ts';
import { viewImport, WalletImport } from '../../domain/wallets/wallet-import.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getWalletImportEndpoint = defineEndpoint({
  operationId: 'getWalletImport',
  method: 'GET',
  path: '/wallets/imports/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallets',
  summary: 'Read the result of a wallet import',
  description: 'Results are stored for 30 days.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The import.', schema: WalletImport } },
  errors: [],
  async handle({ params, caller }, { db }) {
    return { status: 200, body: viewImport(await getImport(db, caller.tenantId, params.id)) };
  },
});
