import { listEntities } from '../../db/entities/list-entities.ts';
import { ListEntitiesQuery } from '../../domain/entities/list.ts';
import { Entity } from '../../domain/entities/schema.ts';
import { viewEntity } from '../../domain/entities/view-entity.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listEntitiesEndpoint = defineEndpoint({
  operationId: 'listEntities',
  method: 'GET',
  path: '/entities',
  auth: 'TENANT',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Entities',
  summary: 'List the directory of entities',
  description:
    'Newest first. `q` finds names, aliases and legal names by whole words and by prefixes of at least three letters, in ' +
    'any case and with or without accents. One name must contain all words.',
  query: ListEntitiesQuery,
  responses: { 200: pageOf(Entity) },
  errors: [],
  async handle({ query }, { db }) {
    return answerPage(await listEntities(db, query), viewEntity);
  },
});
