import { notFound } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';
import { lockWallets, type WalletIds } from './bulk-wallets.ts';

/**
 * Deletes wallets of a tenant, all or none. Transactions do not change: visible data stays visible, hidden data stays
 * hidden, and `destinationWalletId` names the deleted wallet. Throws not_found with the unknown `ids`. Must run
 * inside a transaction.
 */
export async function deleteWallets(tx: Queryable, chosen: WalletIds): Promise<void> {
  await lockWallets(tx, chosen);
  await tx.query('delete from wallets where tenant_id = $1 and id = any($2::bigint[])', [
    chosen.tenantId,
    chosen.ids,
  ]);
}

/** Like deleteWallets, for one wallet. Throws not_found. */
export async function deleteWallet(db: Queryable, tenantId: string, id: number): Promise<void> {
  const { rowCount } = await db.query('delete from wallets where tenant_id = $1 and id = $2', [tenantId, id]);
  if (rowCount !== 1) throw notFound('wallet');
}
