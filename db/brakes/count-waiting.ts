import type { BrakeKind } from '../../domain/brakes/brake.ts';
import type { Queryable } from '../postgres.ts';

const MESSAGES = `
  select count(*)::int as waiting from transactions where paused_by = $1 and status = 'PENDING' and deleted_at is null`;

// Of those that were made after the release none is held back.
const WEBHOOKS = `
  select count(*)::int as waiting from webhook_deliveries d join brakes b on b.id = $1 and b.tenant_id = d.tenant_id
  where d.partner_id is null and d.status in ('PENDING', 'FAILED')
    and (b.released_at is null or d.created_at <= b.released_at)
    and (b.cursor_at is null or (d.created_at, d.id) > (b.cursor_at, b.cursor_id))`;

/** How many messages or webhooks wait for the end of a brake. */
export async function countWaiting(
  db: Queryable,
  { id, kind }: { id: string; kind: BrakeKind },
): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>(kind === 'WEBHOOKS' ? WEBHOOKS : MESSAGES, [id]);
  return rows[0]?.waiting ?? 0;
}
