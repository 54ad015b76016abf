import { listExports } from '../../db/exports/read-exports.ts';
import { Export, ListExportsQuery, viewExport } from '../../domain/exports/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listExportsEndpoint = defineEndpoint({
  operationId: 'listExports',
  method: 'GET',
  path: '/exports',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Exports',
  summary: 'List exports',
  description:
    'Newest first, of all users and keys; those whose file was removed are gone. `q` finds ids by their beginning.',
  query: ListExportsQuery,
  responses: { 200: pageOf(Export) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listExports(db, caller.tenantId, query), viewExport);
  },
});
