import { z } from 'zod';
import { deleteWallet } from '../../db/wallets/delete-wallets.ts';
import { defineEndpoint, IdParam } from '../endpoint.ts';

export const deleteWalletEndpoint = defineEndpoint({
  operationId: 'deleteWallet',
  method: 'DELETE',
  path: '/wallets/{id}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallets',
  summary: 'Delete a custodial wallet',
  description: 'Cannot be undone. Transactions do not change; hidden personal data stays hidden.',
  params: z.strictObject({ id: IdParam }),
  responses: { 204: { description: 'Deleted.', schema: null } },
  errors: [],
  async handle({ params: { id }, caller: { tenantId }, commit }) {
    return await commit(async (tx) => {
      const outbox = await deleteWallet(tx, { tenantId, id }, new Date());
      return { status: 204, body: undefined, outbox };
    });
  },
});
