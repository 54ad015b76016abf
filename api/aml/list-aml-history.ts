import { z } from 'zod';
import { listChecks } from '../../db/aml/list-checks.ts';
import { HistoryEntry, HistoryQuery } from '../../domain/aml/history.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listAmlHistoryEndpoint = defineEndpoint({
  operationId: 'listAmlHistory',
  method: 'GET',
  path: '/aml/search/history',
  auth: 'TENANT',
  limit: 'SCREENING',
  tag: 'AML',
  summary: 'List earlier AML checks',
  description:
    'Newest first. Each request to a provider is one entry; a stored result that is returned again is none.',
  query: HistoryQuery,
  responses: { 200: { description: 'One page.', schema: z.array(HistoryEntry) } },
  errors: [],
  async handle({ query, caller: { tenantId } }, { db }) {
    return { status: 200, body: await listChecks(db.pool, tenantId, query) };
  },
});
