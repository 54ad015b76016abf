import { z } from 'zod';
import { CheckWalletQuery, WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import { checkWallet } from '../../wallet-intelligence/check-wallet.ts';
import { defineEndpoint } from '../endpoint.ts';

export const checkWalletEndpoint = defineEndpoint({
  method: 'GET',
  path: '/kyw/{blockchain}/{address}',
  auth: 'TENANT',
  limit: 'SCREENING',
  tag: 'Wallet Intelligence',
  summary: 'Say who holds the keys of a wallet, and whether a program acts',
  description:
    'The first conclusive source decides: the own confirmed wallets, the own verifications, the wallets of the network, ' +
    'published labels, what the wallet does on its chain. A wallet that nobody knows is UNKNOWN with the reason. Each ' +
    'check is kept.',
  params: z.strictObject({ blockchain: z.string(), address: z.string() }),
  query: CheckWalletQuery,
  responses: { 200: { description: 'The check.', schema: WalletCheck } },
  errors: [],
  async handle({ params, query, caller: { tenantId } }, deps) {
    return { status: 200, body: await checkWallet(deps, tenantId, { ...params, ...query }) };
  },
});
