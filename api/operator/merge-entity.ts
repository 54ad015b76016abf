import { EXAMPLE_IDS as ID } from '../openapi/example-ids.ts';
import { z } from 'zod';
import { changeEntity } from '../../db/entities/change-entity.ts';
import type { EntityRecord } from '../../domain/entities/entity.ts';
import { MergeEntityBody, OperatorEntity } from '../../domain/entities/schema.ts';
import { viewEntityForOperator } from '../../domain/entities/view-entity.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const mergeEntityEndpoint = defineEndpoint({
  operationId: 'mergeEntity',
  method: 'POST',
  path: '/operator/entities/{id}/merge',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Make an entity a duplicate of another',
  description:
    'From now on, its names and those of its own duplicates lead to the master. If the given master is a duplicate, its ' +
    'own master is used. 409 for a circle, and for a tenant that would become a duplicate.',
  params: z.strictObject({ id: UuidParam }),
  body: MergeEntityBody,
  example: { body: { masterId: ID.masterEntity } },
  responses: { 200: { description: 'The duplicate.', schema: OperatorEntity } },
  errors: ['conflict'],
  async handle({ params, body, commit }) {
    const now = new Date();
    const change = {
      id: params.id,
      masterId: body.masterId,
      masterPointer: '/masterId',
      now,
      decide: (entity: EntityRecord) => ({ ...entity, updatedAt: now }),
    };
    return await commit(async (tx) => {
      const { entity, outbox } = await changeEntity(tx, change);
      return { status: 200, body: viewEntityForOperator(entity), outbox };
    });
  },
});
