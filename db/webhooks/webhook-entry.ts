import type { NewOutboxEntry } from '../outbox.ts';

/** An outbox entry that starts or wakes a delivery's workflow. */
export function webhookEntry({
  id,
  tenantId,
  kind,
  resourceId,
}: {
  id: string;
  tenantId: string;
  kind: string;
  resourceId: string;
}): NewOutboxEntry {
  return { tenantId, workflow: 'webhookDelivery', subjectId: id, resourceId, summary: `Webhook ${kind}` };
}
