import { z } from 'zod';
import { listVersions } from '../../db/sanctions-lists/list-versions.ts';
import { ListCode } from '../../domain/sanctions-lists/list-code.ts';
import { ListVersion, ListVersionsQuery, viewVersion } from '../../domain/sanctions-lists/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listListVersionsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/operator/lists/{code}/versions',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the versions of a sanctions list',
  description: 'Newest first, rejected ones included. `q` finds the beginning of a SHA-256.',
  params: z.strictObject({ code: ListCode }),
  query: ListVersionsQuery,
  responses: { 200: { description: 'One page.', schema: z.array(ListVersion), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ params, query, wantsCount }, { db }) {
    const { versions, total } = await listVersions(db.pool, params.code, query, wantsCount);
    return { status: 200, body: versions.map(viewVersion), headers: countHeader(total) };
  },
});
