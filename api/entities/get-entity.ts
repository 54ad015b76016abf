import { z } from 'zod';
import { getEntity } from '../../db/entities/get-entity.ts';
import { DetailedEntity } from '../../domain/entities/schema.ts';
import { viewDetailedEntity } from '../../domain/entities/view-entity.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getEntityEndpoint = defineEndpoint({
  method: 'GET',
  path: '/entities/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Entities',
  summary: 'Get an entity',
  description: 'A duplicate answers as itself; `masterEntityId` says whom it stands for.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The entity.', schema: DetailedEntity } },
  errors: [],
  async handle({ params }, { db }) {
    return { status: 200, body: viewDetailedEntity(await getEntity(db.pool, params.id)) };
  },
});
