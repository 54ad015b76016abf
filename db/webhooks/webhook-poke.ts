import type { NewPoke } from '../outbox.ts';

/** Starts a delivery's workflow, or lets it look again. */
export function webhookPoke({ id, tenantId, kind }: { id: string; tenantId: string; kind: string }): NewPoke {
  return { tenantId, workflow: 'webhookDelivery', subjectId: id, summary: `Webhook ${kind}` };
}
