import { z } from 'zod';
import { listSuppressions } from '../../db/sanctions-screenings/suppressions.ts';
import { ListSuppressionsQuery, Suppression } from '../../domain/sanctions-screening/suppression.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listSuppressionsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/sanctions/suppressions',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Sanctions',
  summary: 'List suppressed matches',
  description: 'Newest first. `q` finds the id of one, or that of a listed entry.',
  query: ListSuppressionsQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Suppression), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ query, caller, wantsCount }, { db }) {
    const { suppressions, total } = await listSuppressions(db, caller.tenantId, query, wantsCount);
    return { status: 200, body: suppressions, headers: countHeader(total) };
  },
});
