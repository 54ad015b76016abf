import { listTenants } from '../../db/tenants/list-tenants.ts';
import { ListTenantsQuery, OperatorTenant } from '../../domain/tenants/schema.ts';
import { viewTenantForOperator } from '../../domain/tenants/view-tenant.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listTenantsEndpoint = defineEndpoint({
  operationId: 'listTenants',
  method: 'GET',
  path: '/operator/tenants',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the tenants of this deployment',
  description:
    'Newest first. `q` finds names that contain all of its words, in any case and with or without accents.',
  query: ListTenantsQuery,
  responses: { 200: pageOf(OperatorTenant) },
  errors: [],
  async handle({ query }, { db, settings }) {
    const showing = { environment: settings.ENVIRONMENT, webhookSecret: null };
    return answerPage(await listTenants(db, query), (tenant) => viewTenantForOperator(tenant, showing));
  },
});
