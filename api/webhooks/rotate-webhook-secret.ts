import { rotateWebhookSecret } from '../../db/tenants/rotate-webhook-secret.ts';
import { RotateWebhookSecretBody, Tenant } from '../../domain/tenants/schema.ts';
import { viewTenant } from '../../domain/tenants/view-tenant.ts';
import { defineEndpoint } from '../endpoint.ts';

export const rotateWebhookSecretEndpoint = defineEndpoint({
  method: 'POST',
  path: '/tenant/me/webhook/rotate-secret',
  auth: 'TENANT',
  role: 'ADMIN',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Webhooks',
  summary: 'Rotate the webhook secret',
  description:
    'The new `webhookSecret` is in the answer and signs from now on. For `overlapHours` the one before signs the same ' +
    'bytes and time in `Service-Signature-Previous`, as long as `webhookUrl` stays at its host and port; another rotation ' +
    'ends it. Allowed without a `webhookUrl` too, then without overlap.',
  body: RotateWebhookSecretBody,
  bodyOptional: true,
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
