import type { BrakeKind } from '../../domain/brakes/brake.ts';
import type { Queryable } from '../postgres.ts';

// Of webhooks that were made after the release none is held back.
const WAITING = `
  select paused_by as id, count(*)::int as waiting from transactions
  where paused_by = any($1) and status = 'PENDING' and deleted_at is null
  group by paused_by
  union all
  select b.id, count(*)::int from brakes b join webhook_deliveries d on d.tenant_id = b.tenant_id
  where b.id = any($2) and d.partner_id is null and d.status in ('PENDING', 'FAILED')
    and (b.released_at is null or d.created_at <= b.released_at)
    and (b.cursor_at is null or (d.created_at, d.id) > (b.cursor_at, b.cursor_id))
  group by b.id`;

type CountedBrake = { id: string; kind: BrakeKind };

/** How many messages or webhooks wait for the end of a brake. */
export async function countWaiting(db: Queryable, brake: CountedBrake): Promise<number> {
  return (await countWaitingOfEach(db, [brake])).get(brake.id) ?? 0;
}

/** Like `countWaiting`, of many brakes by one statement: one list must not take all connections. Those with nothing are left out. */
export async function countWaitingOfEach(
  db: Queryable,
  brakes: readonly CountedBrake[],
): Promise<ReadonlyMap<string, number>> {
  if (brakes.length === 0) return new Map();
  const idsOf = (areWebhooks: boolean) =>
    brakes.filter(({ kind }) => (kind === 'WEBHOOKS') === areWebhooks).map(({ id }) => id);
  const values = [idsOf(false), idsOf(true)];
  const { rows } = await db.query<{ id: string; waiting: number }>(WAITING, values);
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}
