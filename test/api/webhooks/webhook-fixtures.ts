import { findOutgoingDelivery } from '../../../db/webhooks/outgoing-delivery.ts';
import { recordAttempt } from '../../../db/webhooks/record-attempt.ts';
import type { WebhookDelivery } from '../../../domain/webhooks/schema.ts';
import type { TestApi } from '../../api-client.ts';
import { createTenant, WEBHOOK_URL, type Client, type TestTenant } from '../../factories/tenant.ts';

export const DELIVERIES = '/tenant/me/webhook-deliveries';
export const TEST_WEBHOOK = '/tenant/me/webhook/test';

export async function tenantWithHook(api: TestApi): Promise<TestTenant> {
  return await createTenant(api, { webhookUrl: WEBHOOK_URL });
}

export async function testEvent(tenant: Client): Promise<WebhookDelivery> {
  return (await tenant.post<WebhookDelivery>(TEST_WEBHOOK)).body;
}

/** Writes what a worker writes after an attempt. */
export async function attempted(
  api: TestApi,
  id: string,
  outcome: { statusCode: number; retryAt?: Date },
): Promise<void> {
  const delivery = await findOutgoingDelivery(api.db.pool, id);
  if (!delivery) throw new Error('the delivery is missing');
  const startedAt = new Date('2026-11-20T10:00:00.123Z');
  await recordAttempt(api.db.pool, delivery, {
    startedAt,
    endedAt: new Date(startedAt.getTime() + 42),
    durationMs: 42,
    statusCode: outcome.statusCode,
    error: outcome.statusCode === 200 ? null : 'HTTP_STATUS',
    retryAt: outcome.retryAt ?? null,
  });
}
