import { z } from 'zod';
import { listVersions } from '../../db/sanctions-lists/list-versions.ts';
import { ListCode } from '../../domain/sanctions-lists/list-code.ts';
import { ListVersion, ListVersionsQuery, viewVersion } from '../../domain/sanctions-lists/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listListVersionsEndpoint = defineEndpoint({
  operationId: 'listSanctionsListVersions',
  method: 'GET',
  path: '/operator/lists/{code}/versions',
  auth: 'OPERATOR',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the versions of a sanctions list',
  description: 'Newest first, including rejected ones. `q` finds the beginning of a SHA-256.',
  params: z.strictObject({ code: ListCode }),
  query: ListVersionsQuery,
  responses: { 200: pageOf(ListVersion) },
  errors: [],
  async handle({ params, query }, { db }) {
    return answerPage(await listVersions(db.pool, params.code, query), viewVersion);
  },
});
