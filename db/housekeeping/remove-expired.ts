import { KEPT_SECONDS, type KeptForATime } from '../../domain/retention.ts';
import type { Queryable } from '../database.ts';

// $1 is the age in seconds, $2 the size of the batch. Rows that somebody works with are left for the next batch; whether
// one is old enough is looked at again under its lock, so that a redelivery keeps its body.
const STATEMENTS: Record<KeptForATime, string> = {
  idempotencyKeys: `
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < now() - make_interval(secs => $1)
      order by created_at limit $2 for update skip locked))`,
  webhookBodies: `
    update webhook_deliveries set body = null where id = any(array(
      select id from webhook_deliveries
      where finished_at < now() - make_interval(secs => $1) and body is not null
      order by finished_at limit $2 for update skip locked))`,
  webhookAttempts: `
    delete from webhook_attempts where ctid = any(array(
      select ctid from webhook_attempts where started_at < now() - make_interval(secs => $1)
      order by started_at limit $2 for update skip locked))`,
  prices: `
    delete from prices where ctid = any(array(
      select ctid from prices where priced_at < now() - make_interval(secs => $1)
      limit $2 for update skip locked))`,
};

/** Removes up to `limit` of what is older than its time, of all tenants; the number of rows. */
export async function removeExpired(db: Queryable, what: KeptForATime, limit: number): Promise<number> {
  const { rowCount } = await db.query(STATEMENTS[what], [KEPT_SECONDS[what], limit]);
  return rowCount ?? 0;
}
