import { z } from 'zod';
import { getTransaction } from '../../db/transactions/find-transaction.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { showTransaction } from '../../db/transactions/show-transaction.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getTransactionEndpoint = defineEndpoint({
  operationId: 'getTransaction',
  method: 'GET',
  path: '/transactions/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Transactions',
  summary: 'Read a transaction',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The transaction.', schema: Transaction } },
  errors: [],
  async handle({ params, caller }, { db }) {
    const record = await getTransaction(db, caller.tenantId, params.id);
    return { status: 200, body: await showTransaction(db, db.pool, record, caller.tenant.entityId) };
  },
});
