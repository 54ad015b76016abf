import { z } from 'zod';
import { getTransactionScreening as readScreening } from '../../db/transaction-screenings/get-screening.ts';
import { notFound } from '../../domain/errors.ts';
import { TransactionScreening } from '../../domain/transactions/screening.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getTransactionScreening = defineEndpoint({
  method: 'GET',
  path: '/transactions/{id}/screening',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Transactions',
  summary: 'Read what screening found out about a transaction',
  description:
    'The latest facts with their sources, list versions and times. While the transaction is sealed, what concerns names ' +
    'is left out. 404 also before the first screening.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The latest screening.', schema: TransactionScreening } },
  errors: [],
  async handle({ params, caller }, { db }) {
    const screening = await readScreening(db, caller.tenantId, params.id);
    if (!screening) throw notFound('screening');
    return { status: 200, body: screening };
  },
});
