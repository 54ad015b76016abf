import { notFound } from '../../domain/errors.ts';
import { feedEntries } from '../events/feed-entries.ts';
import type { Queryable } from '../postgres.ts';
import { lockWallets, type WalletIds } from './bulk-wallets.ts';

const DELETE = `
  with deleted as (
    delete from wallets where tenant_id = $1 and id = any($2::bigint[]) returning tenant_id, id, version + 1 as version
  ), logged as (${feedEntries({ kind: 'WALLET', type: 'DELETED', rows: 'deleted', at: '$3' })})
  select from deleted`;

/**
 * Deletes wallets of a tenant, all or none. Transactions do not change: visible data stays visible, hidden data stays
 * hidden, and `destinationWalletId` names the deleted wallet. Throws not_found with the unknown `ids`. Must run
 * inside a transaction.
 */
export async function deleteWallets(tx: Queryable, chosen: WalletIds, now: Date): Promise<void> {
  await lockWallets(tx, chosen);
  await tx.query(DELETE, [chosen.tenantId, chosen.ids, now]);
}

/** Like deleteWallets, for one wallet. Throws not_found. */
export async function deleteWallet(
  db: Queryable,
  { tenantId, id }: { tenantId: string; id: number },
  now: Date,
): Promise<void> {
  const { rowCount } = await db.query(DELETE, [tenantId, [id], now]);
  if (rowCount !== 1) throw notFound('wallet');
}
