import { EXAMPLE_IDS as ID } from '../openapi/example-ids.ts';
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
  async handle({ body: ids, caller: { tenantId }, commit }) {
    return await commit(async (tx) => {
      const outbox = await deleteWallets(tx, { tenantId, ids }, new Date());
      return { status: 204, body: undefined, outbox };
    });
  },
});
