import type { Queryable } from '../postgres.ts';

/**
 * SQL over `transactions t`: INCOMING, not deleted, and the destination is not confirmed as the tenant's own. $1 is
 * the tenant.
 */
export const WAITS_FOR_WALLET = `t.tenant_id = $1 and t.direction = 'INCOMING' and t.is_destination_confirmed = false and t.deleted_at is null`;

// A tenant's own rules decide again on messages that they could not confirm before; without rules, messages wait for
// the tenant.
const RULES_DECIDE = `c.is_ruled and t.sealed and t.status = 'DELIVERED' and t.hold is null and t.screening_state is not null`;

interface UnsealSelection {
  /** SQL: rows of (id, wallet_id, is_ruled); $1 is the tenant, $2 the wallets. */
  chosen: string;
  walletIds: readonly number[];
}

/**
 * Makes the personal data of the chosen messages visible to the tenant, in one statement. Each message is marked with
 * the release that still has to write its event, webhook and search tokens; the next change of the record writes them
 * first. Returns the number of messages that became visible. In most tenants no message waits: those pay for one
 * index look-up.
 */
export async function unseal(
  tx: Queryable,
  { chosen, walletIds }: UnsealSelection,
  release: { id: string; tenantId: string },
  now: Date,
): Promise<number> {
  const waiting = await tx.query(`select 1 from transactions t where ${WAITS_FOR_WALLET} limit 1`, [
    release.tenantId,
  ]);
  if (waiting.rows.length === 0) return 0;
  const { rowCount } = await tx.query(
    `update transactions t set sealed = false, is_destination_confirmed = true, destination_wallet_id = c.wallet_id,
       screening_state = case when ${RULES_DECIDE} then 'DUE' else t.screening_state end,
       screening_due_since = case when ${RULES_DECIDE} then $4::timestamptz else t.screening_due_since end,
       wake_at = case when ${RULES_DECIDE} then $4::timestamptz else t.wake_at end,
       release_id = $3, updated_at = greatest(t.updated_at, $4::timestamptz)
     from (${chosen}) c where t.id = c.id and ${WAITS_FOR_WALLET}`,
    [release.tenantId, walletIds, release.id, now],
  );
  return rowCount ?? 0;
}
