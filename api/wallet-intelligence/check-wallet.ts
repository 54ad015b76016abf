import { z } from 'zod';
import { CheckWalletQuery, WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import { checkWallet } from '../../wallet-intelligence/check-wallet.ts';
import { defineEndpoint } from '../endpoint.ts';

export const checkWalletEndpoint = defineEndpoint({
  operationId: 'classifyWallet',
  method: 'GET',
  path: '/kyw/{blockchain}/{address}',
  auth: 'TENANT',
  limit: 'SCREENING',
  readsOutOfTurn: true,
  tag: 'Wallet Intelligence',
  summary: 'Classify a wallet: who holds its keys, and whether a program uses it',
  description:
    'The first conclusive source decides: your confirmed wallets, your verifications, the wallets of other tenants, ' +
    'published labels, the activity of the wallet on its chain. Without a conclusive source the wallet is UNKNOWN, with ' +
    'the reason. Every check is stored.',
  params: z.strictObject({ blockchain: z.string(), address: z.string() }),
  query: CheckWalletQuery,
  responses: { 200: { description: 'The check.', schema: WalletCheck } },
  errors: [],
  async handle({ params, query, caller: { tenantId } }, deps) {
    return { status: 200, body: await checkWallet(deps, tenantId, { ...params, ...query }) };
  },
});
