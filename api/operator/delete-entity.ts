import { z } from 'zod';
import { deleteEntity } from '../../db/entities/delete-entity.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const deleteEntityEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/operator/entities/{id}',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Remove an entity from the directory',
  description:
    'Only one that nothing refers to; a tenant, an entity of the bundled directory and one with duplicates stay.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 204: { description: 'Removed.', schema: null } },
  errors: ['conflict'],
  async handle({ params }, { db }) {
    await deleteEntity(db, params.id);
    return { status: 204 };
  },
});
