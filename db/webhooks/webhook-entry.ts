import type { NewOutboxEntry } from '../outbox.ts';

/** An outbox entry that starts or wakes a delivery's workflow. */
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
