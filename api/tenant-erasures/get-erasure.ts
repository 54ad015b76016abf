import { z } from 'zod';
import { getErasure } from '../../db/tenant-erasures/find-erasure.ts';
import { TenantErasure, viewErasure } from '../../domain/tenant-erasures/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getErasureEndpoint = defineEndpoint({
  operationId: 'getErasure',
  method: 'GET',
  path: '/operator/tenants/{id}/erasure',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'Read the erasure of a tenant',
  description: 'The latest one that was planned, also once the tenant is erased; 404 if none ever was.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The erasure as it is now.', schema: TenantErasure } },
  errors: [],
  async handle({ params: { id } }, { db }) {
    return { status: 200, body: viewErasure(await getErasure(db, id)) };
  },
});
