import { z } from 'zod';
import { listLists } from '../../db/sanctions-lists/list-lists.ts';
import { listSources } from '../../domain/sanctions-lists/list-source.ts';
import { ListOverview, viewLists } from '../../domain/sanctions-lists/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listListsEndpoint = defineEndpoint({
  operationId: 'listSanctionsLists',
  method: 'GET',
  path: '/operator/lists',
  auth: 'OPERATOR',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the sanctions lists of this deployment',
  description:
    'First the known lists, including those without a version, then the operator’s own lists. Each with its active ' +
    'version, the result of its last update and the last rejected version.',
  responses: { 200: { description: 'All lists.', schema: z.array(ListOverview) } },
  errors: [],
  async handle(_request, { db, settings }) {
    const fetched = new Set<string>(listSources(settings).map(({ code }) => code));
    return { status: 200, body: viewLists(await listLists(db.pool), fetched) };
  },
});
