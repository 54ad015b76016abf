import { z } from 'zod';
import { changeEntity } from '../../db/entities/change-entity.ts';
import { patchEntity } from '../../domain/entities/change-entity.ts';
import type { EntityRecord } from '../../domain/entities/entity.ts';
import { OperatorEntity, PatchEntityBody } from '../../domain/entities/schema.ts';
import { viewEntityForOperator } from '../../domain/entities/view-entity.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const patchEntityEndpoint = defineEndpoint({
  operationId: 'patchEntity',
  method: 'PATCH',
  path: '/operator/entities/{id}',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Change an entity of the directory',
  description:
    'A value sets a field, null clears it, an absent field stays; lists are replaced. A newer bundled directory does not ' +
    'overwrite these changes. `masterEntityId` null ends a merge. To rename a tenant, use `PATCH /operator/tenants/{id}`.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchEntityBody,
  example: { body: { riskScore: 20, riskAssessedAt: '2026-01-15T00:00:00Z' } },
  responses: { 200: { description: 'The entity.', schema: OperatorEntity } },
  errors: ['conflict'],
  async handle({ params, body, commit }) {
    const now = new Date();
    const change = {
      id: params.id,
      masterId: body.masterEntityId,
      masterPointer: '/masterEntityId',
      now,
      decide: (entity: EntityRecord) => patchEntity(entity, body, now),
    };
    return await commit(async (tx) => {
      const { entity, outbox } = await changeEntity(tx, change);
      return { status: 200, body: viewEntityForOperator(entity), outbox };
    });
  },
});
