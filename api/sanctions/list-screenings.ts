import { z } from 'zod';
import { listScreenings } from '../../db/sanctions-screenings/list-screenings.ts';
import { ListScreeningsQuery, ScreeningSummary } from '../../domain/sanctions-screening/history.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listScreeningsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/sanctions/history',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Sanctions',
  summary: 'List screenings',
  description:
    'Newest first, without the matches. `q` finds an id, or a whole screened name in any case and with any accents.',
  query: ListScreeningsQuery,
  responses: { 200: { description: 'One page.', schema: z.array(ScreeningSummary), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ query, caller, wantsCount }, { db }) {
    const { screenings, total } = await listScreenings(db, caller.tenantId, query, wantsCount);
    return { status: 200, body: screenings, headers: countHeader(total) };
  },
});
