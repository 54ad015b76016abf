import type { Queryable } from '../database.ts';

/** Gives an outbox row to every record that should have been looked at a minute ago; the number of them. */
export async function pokeOverdueTransactions(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `insert into outbox (tenant_id, workflow, subject_id, summary, due_at)
     select t.tenant_id, 'transactionLifecycle', t.id, 'Outgoing ' || t.asset, now()
     from transactions t
     where t.wake_at < now() - interval '1 minute'
       and not exists (select 1 from outbox o where o.subject_id = t.id)
     order by t.wake_at limit $1`,
    [limit],
  );
  return rowCount ?? 0;
}
