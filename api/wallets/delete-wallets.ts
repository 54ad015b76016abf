import { EXAMPLE_IDS as ID } from '../openapi/example-ids.ts';
import { inTransaction } from '../../db/postgres.ts';
import { deleteWallets } from '../../db/wallets/delete-wallets.ts';
import { WalletIdList } from '../../domain/wallets/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const deleteWalletsEndpoint = defineEndpoint({
  operationId: 'deleteWallets',
  method: 'DELETE',
  path: '/wallets',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallets',
  summary: 'Delete custodial wallets',
  description:
    'Deletes all of at most 1,000 wallets or none; a 404 lists the unknown ids in `ids`. Cannot be undone. Transactions do ' +
    'not change: hidden personal data stays hidden until the same wallet is registered.',
  body: WalletIdList,
  example: { body: [ID.wallet] },
  responses: { 204: { description: 'Deleted.', schema: null } },
  errors: ['not_found'],
  async handle({ body: ids, caller: { tenantId } }, { db }) {
    const now = new Date();
    await inTransaction(db.pool, async (tx) => await deleteWallets(tx, { tenantId, ids }, now));
    return { status: 204 };
  },
});
