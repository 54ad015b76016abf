import { listErasures } from '../../db/tenant-erasures/list-erasures.ts';
import { ListErasuresQuery, TenantErasure, viewErasure } from '../../domain/tenant-erasures/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listErasuresEndpoint = defineEndpoint({
  operationId: 'listErasures',
  method: 'GET',
  path: '/operator/erasures',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the erasures of tenants',
  description:
    'Newest first, those that were called off or refused too. They stay for good: of an erased tenant nothing else says when it ' +
    'was erased, and who has planned and approved that. `q` finds ids, of tenants too, by their beginning.',
  query: ListErasuresQuery,
  responses: { 200: pageOf(TenantErasure) },
  errors: [],
  async handle({ query }, { db }) {
    return answerPage(await listErasures(db, query), viewErasure);
  },
});
