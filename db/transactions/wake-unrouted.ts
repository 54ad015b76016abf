import type { Queryable } from '../postgres.ts';
import { lifecycleEntry } from './lifecycle-entry.ts';
import { type OutboxEntry, insertOutboxEntries } from '../outbox.ts';

/** What newly exists that a waiting message may be meant for; names are folded. */
export type NewRoute = { destinationsNormal: readonly string[] } | { vaspsFolded: readonly string[] };

/**
 * Lets every tenant's unrouted messages for new wallets or names be routed again. The caller learns nothing about
 * them. Runs in the transaction that makes the wallet or name.
 */
export async function wakeUnrouted(tx: Queryable, route: NewRoute, now: Date): Promise<OutboxEntry[]> {
  const [column, values] =
    'vaspsFolded' in route
      ? ['beneficiary_vasp_folded', route.vaspsFolded]
      : ['destination_normal', route.destinationsNormal];
  if (values.length === 0) return [];
  const { rows } = await tx.query<{ id: string; tenant_id: string; asset: string }>(
    `update transactions set wake_at = $2, screening_due_since = case when screening_state = 'DUE' then $2 else screening_due_since end
     where ${column} = any($1::text[]) and sub_status = 'VASP_NOT_FOUND' and status = 'PENDING' and deleted_at is null
     returning id, tenant_id, asset`,
    [values, now],
  );
  return await insertOutboxEntries(
    tx,
    rows.map((row) => lifecycleEntry({ id: row.id, tenantId: row.tenant_id, asset: row.asset })),
    now,
  );
}
