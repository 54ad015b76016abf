import { z } from 'zod';
import { deleteServiceKey } from '../../db/aml/service-keys.ts';
import { FEATURES } from '../../domain/aml/service-key.ts';
import { defineEndpoint } from '../endpoint.ts';

export const deleteServiceKeyEndpoint = defineEndpoint({
  operationId: 'deleteServiceKey',
  method: 'DELETE',
  path: '/tenant/me/service-keys/{feature}',
  auth: 'TENANT',
  role: 'ADMIN',
  limit: 'WRITES',
  tag: 'Tenant',
  summary: 'Switch off a feature of an outside service',
  description: 'Removes the key of the service. Checks that were made with the key stay in the history.',
  params: z.strictObject({ feature: z.enum(FEATURES) }),
  responses: { 204: { description: 'Switched off.', schema: null } },
  errors: [],
  async handle({ params: { feature }, caller: { tenantId, apiKeyId }, log }, { db }) {
    await deleteServiceKey(db.pool, tenantId, feature);
    log.info({ audit: 'SERVICE_KEY_REMOVED', tenantId, apiKeyId, feature }, 'a service key was removed');
    return { status: 204 };
  },
});
