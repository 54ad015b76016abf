import type { Queryable } from '../postgres.ts';

/** Queues the webhooks of a tenant that have not arrived: their workflows ended while the tenant was suspended. */
export async function queueWaiting(tx: Queryable, tenantId: string, now: Date): Promise<void> {
  await tx.query(
    `insert into outbox (tenant_id, workflow, subject_id, summary, resource_id, due_at)
     select d.tenant_id, 'webhookDelivery', d.id, 'Webhook ' || d.kind, d.resource_id, $2
     from webhook_deliveries d
     where d.tenant_id = $1 and d.partner_id is null and d.status in ('PENDING', 'FAILED')
       and not exists (select from outbox o where o.subject_id = d.id)
     order by d.created_at, d.id`,
    [tenantId, now],
  );
}
