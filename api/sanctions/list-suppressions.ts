import { listSuppressions } from '../../db/sanctions-screenings/list-suppressions.ts';
import { ListSuppressionsQuery, Suppression } from '../../domain/sanctions-screening/suppression.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listSuppressionsEndpoint = defineEndpoint({
  operationId: 'listSanctionsSuppressions',
  method: 'GET',
  path: '/sanctions/suppressions',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Sanctions',
  summary: 'List suppressed matches',
  description:
    'Newest first. `q` finds the id of a suppression or of a listed entry, and words and their beginnings of both names.',
  query: ListSuppressionsQuery,
  responses: { 200: pageOf(Suppression) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listSuppressions(db, caller.tenantId, query));
  },
});
