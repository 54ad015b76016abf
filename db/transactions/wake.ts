import type { Direction } from '../../domain/direction.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { lifecycleEntry } from './lifecycle-entry.ts';

/** Selects the transactions to wake. */
interface WakeSelection {
  /** SQL condition over `transactions t`; its parameters begin at $2. */
  where: string;
  values: readonly unknown[];
  /** Name of the prepared statement; left out where the SQL varies. */
  name?: string;
}

/**
 * How much of the screening is repeated. UNLESS_REVIEWED: cleared transfers are screened and decided again; those
 * that a reviewer released stay released. AGAINST_LISTS: all screened transfers; those that a reviewer released are
 * only compared with the lists. ANEW: all screened transfers are screened and decided again.
 */
export type ScreenAgain = 'UNLESS_REVIEWED' | 'AGAINST_LISTS' | 'ANEW';

interface WakeOptions {
  screenAgain: ScreenAgain;
  now: Date;
}

const STATE: Record<ScreenAgain, string> = {
  UNLESS_REVIEWED: `case when t.screening_state = 'CLEARED' then 'DUE' else t.screening_state end`,
  AGAINST_LISTS: `case when t.screening_state in ('REVIEWED', 'RECHECK') then 'RECHECK' when t.screening_state is null then null else 'DUE' end`,
  ANEW: `case when t.screening_state is null then null else 'DUE' end`,
};

/**
 * The screening is due from now on: the tenant's maximum wait for a screening starts when there is something to
 * screen.
 */
const DUE_SINCE: Record<ScreenAgain, string> = {
  UNLESS_REVIEWED: `case when t.screening_state in ('CLEARED', 'DUE') then $1 else t.screening_due_since end`,
  AGAINST_LISTS: `case when t.screening_state is null then t.screening_due_since else $1 end`,
  ANEW: `case when t.screening_state is null then t.screening_due_since else $1 end`,
};

/**
 * Wakes the lifecycle workflows of these transactions and marks them for screening as `screenAgain` says. Runs in the
 * database transaction that creates what they waited for. The caller gets outbox entries only, no data of the
 * transactions. They are locked in the order of their ids, so that two who wake the same ones do not deadlock.
 */
export async function wake(
  tx: Queryable,
  { where, values, name }: WakeSelection,
  { screenAgain, now }: WakeOptions,
): Promise<OutboxEntry[]> {
  const { rows } = await tx.query<{ id: string; tenant_id: string; asset: string; direction: Direction }>({
    ...(name && { name }),
    text: `
      with chosen as materialized (
        select t.id from transactions t where ${where} order by t.id for no key update
      )
      update transactions t set wake_at = $1,
        screening_state = ${STATE[screenAgain]}, screening_due_since = ${DUE_SINCE[screenAgain]}
      from chosen where t.id = chosen.id
      returning t.id, t.tenant_id, t.asset, t.direction`,
    values: [now, ...values],
  });
  const entries = rows.map(({ tenant_id: tenantId, ...row }) => lifecycleEntry({ ...row, tenantId }));
  return await insertOutboxEntries(tx, entries, now);
}
