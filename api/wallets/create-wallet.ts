import { withIdempotency } from '../../db/idempotency/idempotency.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { registerWallet } from '../../db/wallets/register-wallet.ts';
import { CreateWalletBody, newWallet, viewWallet, Wallet } from '../../domain/wallets/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { replayOf } from '../replay.ts';

export const createWalletEndpoint = defineEndpoint({
  method: 'POST',
  path: '/wallets',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallets',
  summary: 'Register a custodial wallet',
  description:
    'Confirmed at once. Unique by blockchain, asset, address (in any spelling) and tag: a second one is 409 with the ' +
    '`id` of the first, but one that is only UNCONFIRMED is confirmed, and one that was only detected is registered. ' +
    'Personal data that was hidden because the destination was not known becomes visible, with webhooks.',
  body: CreateWalletBody,
  responses: { 201: { description: 'Registered.', schema: Wallet } },
  errors: ['conflict'],
  async handle({ body, caller: { tenantId }, idempotency = null }, { db, notifyWorkflows }) {
    const now = new Date();
    const wallet = newWallet(body);
    // Before the transaction, which must not wait for a second connection.
    const keys = await db.vault.tenantKeys(tenantId);
    let outbox: OutboxEntry[] = [];
    const answer = await withIdempotency(db, { tenantId, idempotency, now }, async (tx) => {
      const registered = await registerWallet(db, tx, { tenantId, keys, wallet, now });
      outbox = registered.outbox;
      return { status: 201, body: viewWallet(registered.wallet), sealer: { tenantId, keys } };
    });
    if (answer.replayed) return replayOf(answer);
    notifyWorkflows(outbox);
    return { status: answer.status, body: answer.body };
  },
});
