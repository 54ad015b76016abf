import { EXAMPLE_IDS as ID } from '../openapi/example-ids.ts';
import { z } from 'zod';
import { inTransaction } from '../../db/postgres.ts';
import { confirmWallets } from '../../db/wallets/confirm-wallets.ts';
import { viewWallet, Wallet, WalletIdList } from '../../domain/wallets/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const confirmWalletsEndpoint = defineEndpoint({
  operationId: 'confirmWallets',
  method: 'PATCH',
  path: '/wallets',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallets',
  summary: 'Confirm custodial wallets',
  description:
    'All or nothing, at most 1,000 ids; unknown ones are named in `ids` of the 404. Personal data that was hidden because ' +
    'a wallet was UNCONFIRMED becomes visible, each transaction with the verdict of its screening: with the answer where ' +
    'up to 50 wait, else within seconds to minutes. ' +
    'Confirming a wallet that was only detected does not make messages route to it: registering it does.',
  body: WalletIdList,
  example: { body: [ID.wallet] },
  responses: { 200: { description: 'The wallets, in the order of the ids.', schema: z.array(Wallet) } },
  errors: ['not_found'],
  async handle({ body: ids, caller: { tenantId } }, { db, writeInTurn, notifyWorkflows, releaseAtOnce }) {
    const now = new Date();
    const { wallets, release, outbox } = await writeInTurn(
      tenantId,
      async () =>
        await inTransaction(db.pool, async (tx) => await confirmWallets(db, tx, { tenantId, ids }, now)),
    );
    notifyWorkflows(outbox);
    await releaseAtOnce(release);
    return { status: 200, body: wallets.map(viewWallet) };
  },
});
