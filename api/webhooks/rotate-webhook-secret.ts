import { rotateWebhookSecret } from '../../db/tenants/rotate-webhook-secret.ts';
import { RotateWebhookSecretBody, Tenant } from '../../domain/tenants/schema.ts';
import { viewTenant } from '../../domain/tenants/view-tenant.ts';
import { defineEndpoint } from '../endpoint.ts';

export const rotateWebhookSecretEndpoint = defineEndpoint({
  operationId: 'rotateWebhookSecret',
  method: 'POST',
  path: '/tenant/me/webhook/rotate-secret',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Webhooks',
  summary: 'Rotate the webhook secret',
  description:
    'The answer contains the new `webhookSecret`, which signs from now on. For `overlapHours`, the previous secret signs ' +
    'the same bytes and time in `Service-Signature-Previous`, unless the host or port of `webhookUrl` changes or the ' +
    'secret is rotated again. Without a `webhookUrl` there is no overlap.',
  body: RotateWebhookSecretBody,
  bodyOptional: true,
  example: { body: { overlapHours: 24 } },
  responses: { 200: { description: 'The tenant with its new secret.', schema: Tenant } },
  errors: ['not_found'],
  async handle({ body, caller: { tenantId }, commit }, { db, settings }) {
    const now = new Date();
    const keys = await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      const rotation = { tenantId, keys, overlapHours: body.overlapHours, now };
      const { tenant, webhookSecret } = await rotateWebhookSecret(db, tx, rotation);
      const view = viewTenant(tenant, { environment: settings.ENVIRONMENT, webhookSecret });
      return { status: 200, body: view };
    });
  },
});
