import { z } from 'zod';
import { getEntity } from '../../db/entities/get-entity.ts';
import { OperatorEntity } from '../../domain/entities/schema.ts';
import { viewEntityForOperator } from '../../domain/entities/view-entity.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getEntityAsOperatorEndpoint = defineEndpoint({
  operationId: 'getEntityAsOperator',
  method: 'GET',
  path: '/operator/entities/{id}',
  auth: 'OPERATOR',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Operator',
  summary: 'Get an entity of the directory',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The entity.', schema: OperatorEntity } },
  errors: [],
  async handle({ params }, { db }) {
    return { status: 200, body: viewEntityForOperator(await getEntity(db.pool, params.id)) };
  },
});
