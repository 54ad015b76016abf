import { z } from 'zod';
import { listServiceKeys as readServiceKeys } from '../../db/aml/service-keys.ts';
import { ServiceKey, viewServiceKey } from '../../domain/aml/service-key.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listServiceKeys = defineEndpoint({
  method: 'GET',
  path: '/tenant/me/service-keys',
  auth: 'TENANT',
  role: 'ADMIN',
  limit: 'READS',
  tag: 'Tenant',
  summary: 'List the keys of outside services',
  responses: {
    200: { description: 'One per activated feature, each in encrypted form.', schema: z.array(ServiceKey) },
  },
  errors: [],
  async handle({ caller: { tenantId } }, { db }) {
    return { status: 200, body: (await readServiceKeys(db.pool, tenantId)).map(viewServiceKey) };
  },
});
