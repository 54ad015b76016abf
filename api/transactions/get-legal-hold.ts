import { z } from 'zod';
import { getKeptTransaction } from '../../db/transactions/find-transaction.ts';
import { LegalHold, viewLegalHold } from '../../domain/transactions/legal-hold.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getLegalHoldEndpoint = defineEndpoint({
  operationId: 'getLegalHold',
  method: 'GET',
  path: '/transactions/{id}/legal-hold',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Transactions',
  summary: 'Read whether a transaction is kept beyond its retention',
  description: 'Also of a transaction that was deleted.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The hold.', schema: LegalHold } },
  errors: [],
  async handle({ params: { id }, caller: { tenantId } }, { db }) {
    return { status: 200, body: viewLegalHold(await getKeptTransaction(db, tenantId, id)) };
  },
});
