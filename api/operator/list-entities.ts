import { z } from 'zod';
import { listEntities } from '../../db/entities/list-entities.ts';
import { ListEntitiesQuery } from '../../domain/entities/list.ts';
import { OperatorListedEntity } from '../../domain/entities/schema.ts';
import { viewListedForOperator } from '../../domain/entities/view-entity.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listEntitiesAsOperatorEndpoint = defineEndpoint({
  method: 'GET',
  path: '/operator/entities',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the directory of entities',
  description: 'As `GET /entities`, with the keys of the directories that entities came from.',
  query: ListEntitiesQuery,
  responses: {
    200: { description: 'One page.', schema: z.array(OperatorListedEntity), headers: TOTAL_COUNT },
  },
  errors: [],
  async handle({ query, wantsCount }, { db }) {
    const { entities, total } = await listEntities(db, query, wantsCount);
    return { status: 200, body: entities.map(viewListedForOperator), headers: countHeader(total) };
  },
});
