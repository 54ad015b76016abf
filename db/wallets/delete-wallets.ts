import { notFound } from '../../domain/errors.ts';
import { feedEntries } from '../events/feed-entries.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import { wakeUnrouted } from '../transactions/wake-unrouted.ts';
import { findWalletAddresses, lockWallets, type WalletIds } from './bulk-wallets.ts';

const DELETE = `
  with deleted as (
    delete from wallets where tenant_id = $1 and id = any($2::bigint[]) returning tenant_id, id, version + 1 as version
  ), logged as (${feedEntries({ kind: 'WALLET', type: 'DELETED', rows: 'deleted', at: '$3' })})
  select from deleted`;

/**
 * Deletes wallets of a tenant, all or none. Transactions do not change: visible data stays visible, hidden data stays
 * hidden, and `destinationWalletId` names the deleted wallet. Messages to these wallets that are not sent yet are routed
 * and decided again. Throws not_found with the unknown `ids`. Must run inside a transaction.
 */
export async function deleteWallets(tx: Queryable, chosen: WalletIds, now: Date): Promise<OutboxEntry[]> {
  const destinationsNormal = await lockDestinations(tx, chosen);
  await lockWallets(tx, chosen);
  await tx.query(DELETE, [chosen.tenantId, chosen.ids, now]);
  return await wakeUnrouted(tx, { destinationsNormal }, now);
}

/** Taken before any row lock, as whoever registers the wallets does. */
async function lockDestinations(tx: Queryable, chosen: WalletIds): Promise<string[]> {
  const addresses = await findWalletAddresses(tx, chosen);
  await lockRoutes(tx, addresses.map(destinationRoute));
  return addresses;
}

/** Like deleteWallets, for one wallet. Throws not_found. */
export async function deleteWallet(
  tx: Queryable,
  { tenantId, id }: { tenantId: string; id: number },
  now: Date,
): Promise<OutboxEntry[]> {
  const { rows } = await tx.query('select 1 from wallets where tenant_id = $1 and id = $2', [tenantId, id]);
  if (rows.length === 0) throw notFound('wallet');
  return await deleteWallets(tx, { tenantId, ids: [id] }, now);
}
