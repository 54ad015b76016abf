import { z } from 'zod';
import { inTransaction } from '../../db/postgres.ts';
import { patchWallet } from '../../db/wallets/patch-wallet.ts';
import { PatchWalletBody, viewWallet, Wallet } from '../../domain/wallets/schema.ts';
import { defineEndpoint, IdParam } from '../endpoint.ts';

export const patchWalletEndpoint = defineEndpoint({
  operationId: 'patchWallet',
  method: 'PATCH',
  path: '/wallets/{id}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallets',
  summary: 'Confirm a custodial wallet, or take the confirmation back',
  description:
    'CONFIRMED does what the bulk call does. UNCONFIRMED concerns what arrives from now on: earlier transactions keep ' +
    'their data and their `isDestinationConfirmed`. The same status again changes nothing.',
  params: z.strictObject({ id: IdParam }),
  body: PatchWalletBody,
  example: { body: { status: 'CONFIRMED', metadata: 'Hot wallet of the payments desk' } },
  responses: { 200: { description: 'The wallet.', schema: Wallet } },
  errors: [],
  async handle(
    { params: { id }, body, caller: { tenantId } },
    { db, writeInTurn, notifyWorkflows, releaseAtOnce },
  ) {
    const now = new Date();
    const { wallet, release, outbox } = await writeInTurn(
      tenantId,
      async () =>
        await inTransaction(
          db.pool,
          async (tx) => await patchWallet(db, tx, { tenantId, id, patch: body, now }),
        ),
    );
    notifyWorkflows(outbox);
    await releaseAtOnce(release);
    return { status: 200, body: viewWallet(wallet) };
  },
});
