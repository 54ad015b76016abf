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
  return await wakeScreened(tx, { ids, where: `${OPEN} or (${CONFIRMED} and t.hold is not null)` }, now);
}

/** Like wakeForRescreening, for transfers that an entry of a new version matches: also those confirmed meanwhile. */
export async function wakeMatched(tx: Queryable, ids: readonly string[], now: Date): Promise<OutboxEntry[]> {
  return await wakeScreened(tx, { ids, where: `${OPEN} or ${CONFIRMED}` }, now);
}

const OPEN = `t.status in ('PENDING', 'DELIVERED')`;
const CONFIRMED = `t.status = 'CONFIRMED'`;

async function wakeScreened(
  tx: Queryable,
  { ids, where }: { ids: readonly string[]; where: string },
  now: Date,
): Promise<OutboxEntry[]> {
  if (ids.length === 0) return [];
  const chosen = `t.id = any($2::uuid[]) and t.screening_state is not null and (${where})
    and not t.sealed and t.deleted_at is null`;
  return await wake(tx, { where: chosen, values: [ids] }, { screenAgain: 'AGAINST_LISTS', now });
}
