import { listScreenings } from '../../db/sanctions-screenings/list-screenings.ts';
import { ListScreeningsQuery, ScreeningSummary } from '../../domain/sanctions-screening/history.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listScreeningsEndpoint = defineEndpoint({
  operationId: 'listSanctionsScreenings',
  method: 'GET',
  path: '/sanctions/history',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Sanctions',
  summary: 'List screenings',
  description:
    'Newest first, without the matches, and without those of deleted transactions. `q` finds screened names by words and ' +
    'their beginnings, in any case and with any accents, addresses in any spelling, and ids by their beginning.',
  query: ListScreeningsQuery,
  responses: { 200: pageOf(ScreeningSummary) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listScreenings(db, caller.tenantId, query));
  },
});
