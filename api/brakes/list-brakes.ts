import { listBrakes } from '../../db/brakes/list-brakes.ts';
import { Brake, ListBrakesQuery, viewBrake } from '../../domain/brakes/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listBrakesEndpoint = defineEndpoint({
  operationId: 'listBrakes',
  method: 'GET',
  path: '/tenant/me/brakes',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Brakes',
  summary: 'List the brakes',
  description:
    'Newest first, those of operators too. `q` finds ids by their beginning. `waiting`, `resumed` and `perSecond` show how a ' +
    'release goes on.',
  query: ListBrakesQuery,
  responses: { 200: pageOf(Brake) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listBrakes(db, caller.tenantId, query), viewBrake);
  },
});
