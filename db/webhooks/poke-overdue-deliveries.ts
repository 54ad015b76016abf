import type { Queryable } from '../database.ts';

/** Gives an outbox row to every delivery that should have been tried a minute ago; the number of them. */
export async function pokeOverdueDeliveries(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `insert into outbox (tenant_id, workflow, subject_id, summary, due_at)
     select d.tenant_id, 'webhookDelivery', d.id, 'Webhook ' || d.kind, now()
     from webhook_deliveries d
     where d.wake_at < now() - interval '1 minute'
       and not exists (select 1 from outbox o where o.subject_id = d.id)
     order by d.wake_at limit $1`,
    [limit],
  );
  return rowCount ?? 0;
}
