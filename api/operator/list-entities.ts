import { listEntities } from '../../db/entities/list-entities.ts';
import { ListEntitiesQuery } from '../../domain/entities/list.ts';
import { OperatorListedEntity } from '../../domain/entities/schema.ts';
import { viewListedForOperator } from '../../domain/entities/view-entity.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listEntitiesAsOperatorEndpoint = defineEndpoint({
  operationId: 'listEntitiesAsOperator',
  method: 'GET',
  path: '/operator/entities',
  auth: 'OPERATOR',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the directory of entities',
  description: 'Like `GET /entities`, with the keys of the entities in the directories that they come from.',
  query: ListEntitiesQuery,
  responses: { 200: pageOf(OperatorListedEntity) },
  errors: [],
  async handle({ query }, { db }) {
    return answerPage(await listEntities(db, query), viewListedForOperator);
  },
});
