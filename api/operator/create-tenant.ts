import { z } from 'zod';
import { createTenant } from '../../db/tenants/create-tenant.ts';
import { ApiKey, viewApiKey } from '../../domain/api-keys/schema.ts';
import { CreateTenantBody, OperatorTenant } from '../../domain/tenants/schema.ts';
import { viewTenantForOperator } from '../../domain/tenants/view-tenant.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireWebhookUrl } from '../tenant/require-webhook-url.ts';

const CreatedTenant = z
  .strictObject({ tenant: OperatorTenant, apiKey: ApiKey })
  .meta({ id: 'CreatedTenant' });

export const createTenantEndpoint = defineEndpoint({
  operationId: 'createTenant',
  method: 'POST',
  path: '/operator/tenants',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Create a tenant',
  description:
    'Returns the tenant with its webhook secret and its first API key (role ADMIN). Messages of other tenants that ' +
    'already wait for a VASP with this name are now sent. 409 with `entityId`: the directory has an entity with this ' +
    'name; if the entity is this tenant, send its `entityId`.',
  body: CreateTenantBody,
  example: {
    body: {
      name: 'Delta Brokers',
      legalName: 'Delta Brokers GmbH',
      country: 'DE',
      email: 'travelrule@delta.example',
    },
  },
  responses: { 201: { description: 'Created.', schema: CreatedTenant } },
  errors: ['conflict'],
  async handle({ body, commit }, { db, settings }) {
    requireWebhookUrl(body.webhookUrl, settings);
    const environment = settings.ENVIRONMENT;
    return await commit(async (tx) => {
      const now = new Date();
      const { tenant, webhookSecret, apiKey, outbox } = await createTenant(db, tx, {
        body,
        environment,
        now,
      });
      const view = viewTenantForOperator(tenant, { environment, webhookSecret });
      return { status: 201, body: { tenant: view, apiKey: viewApiKey(apiKey) }, outbox };
    });
  },
});
