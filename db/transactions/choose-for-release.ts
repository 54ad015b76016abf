import type { Queryable } from '../postgres.ts';

/**
 * SQL over `transactions t`: INCOMING, not deleted, and the destination is not confirmed as the tenant's own. $1 is
 * the tenant.
 */
export const WAITS_FOR_WALLET = `t.tenant_id = $1 and t.direction = 'INCOMING' and t.is_destination_confirmed = false and t.deleted_at is null`;

interface ReleaseSelection {
  /** SQL: rows of (id, wallet_id); $1 is the tenant, $2 the wallets. */
  chosen: string;
  walletIds: readonly number[];
}

/**
 * Marks messages whose wallet is confirmed now with the release that makes them visible; they belong to it, whatever
 * becomes of the wallet. Returns their number. In most tenants no message waits: those pay for one index look-up.
 */
export async function chooseForRelease(
  tx: Queryable,
  { chosen, walletIds }: ReleaseSelection,
  release: { id: string; tenantId: string },
): Promise<number> {
  const waiting = await tx.query(
    `select 1 from transactions t where ${WAITS_FOR_WALLET} and t.release_id is null limit 1`,
    [release.tenantId],
  );
  if (waiting.rows.length === 0) return 0;
  const { rowCount } = await tx.query(
    `update transactions t set release_id = $3, destination_wallet_id = c.wallet_id
     from (${chosen}) c where t.id = c.id and ${WAITS_FOR_WALLET} and t.release_id is null`,
    [release.tenantId, walletIds, release.id],
  );
  return rowCount ?? 0;
}
