import { z } from 'zod';
import { getTenant } from '../../db/tenants/get-tenant.ts';
import { OperatorTenant } from '../../domain/tenants/schema.ts';
import { viewTenantForOperator } from '../../domain/tenants/view-tenant.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getTenantAsOperatorEndpoint = defineEndpoint({
  operationId: 'getTenantAsOperator',
  method: 'GET',
  path: '/operator/tenants/{id}',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'Read a tenant',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The tenant, without its webhook secret.', schema: OperatorTenant } },
  errors: [],
  async handle({ params: { id } }, { db, settings }) {
    const { tenant } = await getTenant(db, id);
    const showing = { environment: settings.ENVIRONMENT, webhookSecret: null };
    return { status: 200, body: viewTenantForOperator(tenant, showing) };
  },
});
