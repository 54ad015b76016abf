import { z } from 'zod';
import { deleteSuppression } from '../../db/sanctions-screenings/suppressions.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const deleteSuppressionEndpoint = defineEndpoint({
  operationId: 'deleteSanctionsSuppression',
  method: 'DELETE',
  path: '/sanctions/suppressions/{id}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Sanctions',
  summary: 'Remove a suppression',
  description: 'Open transactions are compared with the lists again before they go on.',
  params: z.object({ id: UuidParam }),
  responses: { 204: { description: 'Removed; the next screening shows the match again.', schema: null } },
  errors: [],
  async handle({ params, caller }, { db, writeInTurn }) {
    await writeInTurn(
      caller.tenantId,
      async () => await deleteSuppression(db.pool, caller.tenantId, params.id),
    );
    return { status: 204 };
  },
});
