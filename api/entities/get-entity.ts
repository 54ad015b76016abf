import { z } from 'zod';
import { getEntity } from '../../db/entities/get-entity.ts';
import { DetailedEntity } from '../../domain/entities/schema.ts';
import { viewDetailedEntity } from '../../domain/entities/view-entity.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getEntityEndpoint = defineEndpoint({
  operationId: 'getEntity',
  method: 'GET',
  path: '/entities/{id}',
  auth: 'TENANT',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Entities',
  summary: 'Get an entity',
  description: 'The id of a duplicate returns the duplicate itself, with its master in `masterEntityId`.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The entity.', schema: DetailedEntity } },
  errors: [],
  async handle({ params }, { db }) {
    return { status: 200, body: viewDetailedEntity(await getEntity(db.pool, params.id)) };
  },
});
