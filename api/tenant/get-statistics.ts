import { readStatistics } from '../../db/statistics/read-statistics.ts';
import { Statistics, StatisticsQuery } from '../../domain/statistics/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const getStatisticsEndpoint = defineEndpoint({
  operationId: 'getStatistics',
  method: 'GET',
  path: '/tenant/me/statistics',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Tenant',
  summary: 'Count the records of a month',
  description:
    "Every record counts in the month of its creation, by clocks of the tenant's `timeZone`, and as it is at `asOf`: a " +
    'later change, such as an answer, a price or a deletion, changes the month of the creation. Counts and volumes are ' +
    'exact. Lists name only what there is.',
  query: StatisticsQuery,
  example: { query: { month: '2026-11' } },
  responses: { 200: { description: 'The statistics of the month.', schema: Statistics } },
  errors: ['not_found'],
  handle: async ({ query, caller }, { db }) => ({
    status: 200,
    body: await readStatistics(db.pool, caller.tenantId, query.month, new Date()),
  }),
});
