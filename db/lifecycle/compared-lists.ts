import { screeningPending } from '../../domain/transactions/screening-due.ts';
import type { Queryable } from '../postgres.ts';
import { keepListVersions } from '../sanctions-lists/version-lock.ts';

interface MessageRef {
  tenantId: string;
  id: string;
}

/**
 * Whether a list has a new version that open messages are still being compared with, and this screened one was not
 * compared with it yet.
 */
export async function isBehindLists(db: Queryable, { tenantId, id }: MessageRef): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-behind-lists',
    text: `select from sanctions_versions v join transactions t on t.tenant_id = $1 and t.id = $2
      where v.state = 'ACTIVE' and v.rescreened_at is null
        and t.direction = 'INCOMING' and t.pair_id is not null and not t.sealed
        and t.screening_state in ('CLEARED', 'REVIEWED')
        and not exists (select from transaction_screenings s
          where s.transaction_id = t.id and s.created_at >= v.activated_at)
      limit 1`,
    values: [tenantId, id],
  });
  return rowCount === 1;
}

/**
 * Keeps the lists as they are until the end of the transaction that confirms a message. Throws screening_pending when the
 * message was not compared with one of them.
 */
export async function requireComparedLists(tx: Queryable, ref: MessageRef): Promise<void> {
  await keepListVersions(tx);
  if (await isBehindLists(tx, ref)) throw screeningPending();
}
