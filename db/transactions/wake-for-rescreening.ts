import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { wake } from './wake.ts';

/**
 * Wakes transfers that are open or held to be screened again; transfers that a reviewer released are only compared with
 * the lists. A sealed one is screened when it is released.
 */
export async function wakeForRescreening(
  tx: Queryable,
  ids: readonly string[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (ids.length === 0) return [];
  const where = `t.id = any($2::uuid[]) and t.screening_state is not null
    and (t.status in ('PENDING', 'DELIVERED') or (t.status = 'CONFIRMED' and t.hold is not null))
    and not t.sealed and t.deleted_at is null`;
  return await wake(tx, { where, values: [ids] }, { screenAgain: 'AGAINST_LISTS', now });
}
