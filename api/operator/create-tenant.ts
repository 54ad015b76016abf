import { z } from 'zod';
import { createTenant } from '../../db/tenants/create-tenant.ts';
import { ApiKey, viewApiKey } from '../../domain/api-keys/schema.ts';
import { CreateTenantBody, OperatorTenant } from '../../domain/tenants/schema.ts';
import { viewTenantForOperator } from '../../domain/tenants/view-tenant.ts';
import { NewAdmin, User, viewUser } from '../../domain/users/schema.ts';
import { requireMail } from '../auth/user-mails.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireWebhookUrl } from '../tenant/require-webhook-url.ts';
import { inviteAdmin } from './invite-admin.ts';

const CreateTenantWithAdmin = CreateTenantBody.extend({
  admin: NewAdmin.optional().describe(
    'The first user, of role ADMIN, who is invited by e-mail. None if absent.',
  ),
}).meta({ id: 'CreateTenant' });

const CreatedTenant = z
  .strictObject({
    tenant: OperatorTenant,
    apiKey: ApiKey,
    adminUser: User.nullable().describe('The invited user; null without `admin`.'),
  })
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
    'Returns the tenant with its webhook secret and its first API key (role ADMIN), and its first user if `admin` names ' +
    'one. Messages of other tenants that already wait for a VASP with this name are now sent. 409 with `entityId`: the ' +
    'directory has an entity with this name; if the entity is this tenant, send its `entityId`.',
  body: CreateTenantWithAdmin,
  example: {
    body: {
      name: 'Delta Brokers',
      legalName: 'Delta Brokers GmbH',
      country: 'DE',
      email: 'travelrule@delta.example',
      admin: { email: 'ida.brandt@delta.example', name: 'Ida Brandt' },
    },
  },
  responses: { 201: { description: 'Created.', schema: CreatedTenant } },
  errors: ['conflict'],
  async handle({ body: { admin, ...body }, caller, commit, log }, deps) {
    const { db, settings } = deps;
    requireWebhookUrl(body.webhookUrl, settings);
    if (admin) requireMail(settings);
    const environment = settings.ENVIRONMENT;
    return await commit(async (tx) => {
      const now = new Date();
      const made = await createTenant(db, tx, { body, environment, now });
      const invited = admin && (await inviteAdmin(deps, tx, { made, admin, now }));
      const { tenant, webhookSecret, apiKey } = made;
      log.info(
        { audit: 'TENANT_CREATED', ...loggedCaller(caller), tenantId: tenant.id },
        'an operator created a tenant',
      );
      const view = viewTenantForOperator(tenant, { environment, webhookSecret });
      const adminUser = invited ? viewUser(invited.user) : null;
      const outbox = [...made.outbox, ...(invited?.outbox ?? [])];
      return { status: 201, body: { tenant: view, apiKey: viewApiKey(apiKey), adminUser }, outbox };
    });
  },
});
