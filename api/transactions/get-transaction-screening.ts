import { z } from 'zod';
import { getReviewFile } from '../../db/transaction-screenings/get-screening.ts';
import { ReviewFile } from '../../domain/transactions/deciding/screening.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getTransactionScreeningEndpoint = defineEndpoint({
  method: 'GET',
  path: '/transactions/{id}/screening',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Transactions',
  summary: 'Read what screening found out about a transaction, and what was decided on it',
  description:
    'For reviewers: why it is held, the latest facts with their sources, list versions and times, and earlier reviews. ' +
    'While the transaction is sealed, what concerns names is left out.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The latest facts.', schema: ReviewFile } },
  errors: [],
  async handle({ params, caller }, { db }) {
    return { status: 200, body: await getReviewFile(db, caller.tenantId, params.id) };
  },
});
