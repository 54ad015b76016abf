import { z } from 'zod';
import { listTenants } from '../../db/tenants/list-tenants.ts';
import { ListTenantsQuery, OperatorTenant } from '../../domain/tenants/schema.ts';
import { viewTenantForOperator } from '../../domain/tenants/view-tenant.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listTenantsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/operator/tenants',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the tenants of this deployment',
  description: 'Newest first. `q` finds names that hold all of its words, case and accents aside.',
  query: ListTenantsQuery,
  responses: { 200: { description: 'One page.', schema: z.array(OperatorTenant), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ query, wantsCount }, { db, settings }) {
    const { tenants, total } = await listTenants(db, query, wantsCount);
    const showing = { environment: settings.ENVIRONMENT, webhookSecret: null };
    const body = tenants.map((tenant) => viewTenantForOperator(tenant, showing));
    return { status: 200, body, headers: countHeader(total) };
  },
});
