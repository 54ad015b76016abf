import { notFound } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';
import { lockWallets, type WalletIds } from './bulk-wallets.ts';

/**
 * Deletes wallets of a tenant, all or none. Transactions keep what they are: data that was visible stays visible, data
 * that was hidden stays hidden, and `destinationWalletId` names a wallet that was. Throws not_found with the unknown
 * `ids`. Must run inside a transaction.
 */
export async function deleteWallets(tx: Queryable, chosen: WalletIds): Promise<void> {
  await lockWallets(tx, chosen);
  await tx.query('delete from wallets where tenant_id = $1 and id = any($2::bigint[])', [
    chosen.tenantId,
    chosen.ids,
  ]);
}

/** The same for one wallet. Throws not_found. */
export async function deleteWallet(db: Queryable, tenantId: string, id: number): Promise<void> {
  const { rowCount } = await db.query('delete from wallets where tenant_id = $1 and id = $2', [tenantId, id]);
  if (rowCount !== 1) throw notFound('wallet');
}
