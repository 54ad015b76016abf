import { z } from 'zod';
import { getReviewFile } from '../../db/transactions/get-screening.ts';
import { ReviewFile } from '../../domain/transactions/deciding/screening.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getTransactionScreeningEndpoint = defineEndpoint({
  operationId: 'getTransactionScreening',
  method: 'GET',
  path: '/transactions/{id}/screening',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Transactions',
  summary: 'Read the screening results and the reviews of a transaction',
  description:
    'For reviewers: the reason of the hold, the latest facts with their sources, list versions and times, and earlier ' +
    'reviews. A transaction whose personal data is hidden is screened when it is released: until then there are no facts.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The latest facts.', schema: ReviewFile } },
  errors: [],
  async handle({ params, caller }, { db }) {
    return { status: 200, body: await getReviewFile(db, caller.tenantId, params.id) };
  },
});
