import type { Direction } from '../../domain/direction.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { lifecycleEntry } from './lifecycle-entry.ts';

/** Which transactions are woken. */
interface WakeSelection {
  /** SQL condition over `transactions t`; its parameters begin at $2. */
  where: string;
  values: readonly unknown[];
  /** Name of the prepared statement; left out where the SQL varies. */
  name?: string;
}

/**
 * How much of the screening is done anew.
 * UNLESS_REVIEWED: what was cleared is screened and decided again; what a reviewer let pass stays so.
 * AGAINST_LISTS: everything that is screened at all; what a reviewer let pass is only compared with the lists.
 */
export type ScreenAgain = 'UNLESS_REVIEWED' | 'AGAINST_LISTS';

interface WakeOptions {
  screenAgain: ScreenAgain;
  now: Date;
}

const STATE: Record<ScreenAgain, string> = {
  UNLESS_REVIEWED: `case when t.screening_state = 'CLEARED' then 'DUE' else t.screening_state end`,
  AGAINST_LISTS: `case when t.screening_state in ('REVIEWED', 'RECHECK') then 'RECHECK' when t.screening_state is null then null else 'DUE' end`,
};

/** What is due counts from now on: the tenant's longest wait for a screening begins when there is something to screen. */
const DUE_SINCE: Record<ScreenAgain, string> = {
  UNLESS_REVIEWED: `case when t.screening_state in ('CLEARED', 'DUE') then $1 else t.screening_due_since end`,
  AGAINST_LISTS: `case when t.screening_state is null then t.screening_due_since else $1 end`,
};

/**
 * Lets the lifecycle of these transactions look at them again, and screen them again as `screenAgain` says. The only way
 * in which many transactions are woken; the caller learns nothing about them. Runs in the database transaction that
 * makes what they waited for.
 */
export async function wake(
  tx: Queryable,
  { where, values, name }: WakeSelection,
  { screenAgain, now }: WakeOptions,
): Promise<OutboxEntry[]> {
  const { rows } = await tx.query<{ id: string; tenant_id: string; asset: string; direction: Direction }>({
    ...(name && { name }),
    text: `
      update transactions t set wake_at = $1,
        screening_state = ${STATE[screenAgain]}, screening_due_since = ${DUE_SINCE[screenAgain]}
      where ${where}
      returning t.id, t.tenant_id, t.asset, t.direction`,
    values: [now, ...values],
  });
  const entries = rows.map(({ tenant_id: tenantId, ...row }) => lifecycleEntry({ ...row, tenantId }));
  return await insertOutboxEntries(tx, entries, now);
}
