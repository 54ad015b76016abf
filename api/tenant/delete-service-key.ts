import { z } from 'zod';
import { deleteServiceKey } from '../../db/aml/service-keys.ts';
import { FEATURES } from '../../domain/aml/service-key.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';

export const deleteServiceKeyEndpoint = defineEndpoint({
  operationId: 'deleteServiceKey',
  method: 'DELETE',
  path: '/tenant/me/service-keys/{feature}',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  tag: 'Tenant',
  summary: 'Switch off a feature of an outside service',
  description: 'Removes the key of the service. Checks that were made with the key stay in the history.',
  params: z.strictObject({ feature: z.enum(FEATURES) }),
  responses: { 204: { description: 'Switched off.', schema: null } },
  errors: [],
  async handle({ params: { feature }, caller, log }, { db, writeInTurn }) {
    await writeInTurn(caller.tenantId, async () => await deleteServiceKey(db.pool, caller.tenantId, feature));
    log.info({ audit: 'SERVICE_KEY_REMOVED', ...loggedCaller(caller), feature }, 'a service key was removed');
    return { status: 204 };
  },
});
