import { findListedWallets } from '../../db/wallets/find-listed-wallets.ts';
import type { WalletRelease } from '../../db/wallets/open-release.ts';
import { registerWallet } from '../../db/wallets/register-wallet.ts';
import { CreateWalletBody, newWallet, viewNewWallet, Wallet } from '../../domain/wallets/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const createWalletEndpoint = defineEndpoint({
  operationId: 'createWallet',
  method: 'POST',
  path: '/wallets',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Wallets',
  summary: 'Register a custodial wallet',
  description:
    'The wallet is CONFIRMED at once. Wallets are unique by blockchain, asset, address (in any spelling) and tag: a second ' +
    'one is 409 with the `id` of the first. Instead, an existing UNCONFIRMED wallet is confirmed and a wallet that was ' +
    'only detected is registered. Personal data that was hidden because the destination was unknown becomes visible, with ' +
    'webhooks. An address on an active sanctions list is registered with warning `ADDRESS_SANCTIONED`.',
  body: CreateWalletBody,
  example: {
    body: { blockchain: 'Ethereum', asset: 'ETH', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
  },
  responses: { 201: { description: 'Registered.', schema: Wallet } },
  errors: ['conflict', 'not_found'],
  async handle({ body, caller: { tenantId }, commit }, { db, releaseAtOnce }) {
    const now = new Date();
    const given = newWallet(body);
    let release: WalletRelease | null = null;
    const answer = await commit(async (tx) => {
      const isListed = (await findListedWallets(tx, [given])).length > 0;
      const { wallet, outbox, ...begun } = await registerWallet(db, tx, { tenantId, wallet: given, now });
      ({ release } = begun);
      const shows = { kind: 'WALLET' as const, id: String(wallet.id) };
      return { status: 201, body: viewNewWallet(wallet, isListed), outbox, shows };
    });
    await releaseAtOnce(release);
    return answer;
  },
});
