import type { NewOutboxEntry } from '../outbox.ts';

/** Starts a delivery's workflow, or lets it look again. */
export function webhookEntry({
  id,
  tenantId,
  kind,
}: {
  id: string;
  tenantId: string;
  kind: string;
}): NewOutboxEntry {
  return { tenantId, workflow: 'webhookDelivery', subjectId: id, summary: `Webhook ${kind}` };
}
