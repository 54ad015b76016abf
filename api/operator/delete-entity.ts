import { z } from 'zod';
import { deleteEntity } from '../../db/entities/delete-entity.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const deleteEntityEndpoint = defineEndpoint({
  operationId: 'deleteEntity',
  method: 'DELETE',
  path: '/operator/entities/{id}',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Remove an entity from the directory',
  description:
    'Removes an entity that nothing refers to. A tenant, an entity of the bundled directory and an entity with ' +
    'duplicates cannot be removed: 409.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 204: { description: 'Removed.', schema: null } },
  errors: ['conflict'],
  async handle({ params, commit }) {
    return await commit(async (tx) => {
      const outbox = await deleteEntity(tx, params.id, new Date());
      return { status: 204, body: undefined, outbox };
    });
  },
});
