import type pg from 'pg';
import type { WalletRecord } from '../../domain/wallets/wallet.ts';
import type { Database } from '../database.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import { wakeUnrouted } from '../transactions/wake-unrouted.ts';
import type { OutboxEntry } from '../outbox.ts';
import { findWalletPlaces, lockWallets, readWallets, type WalletIds } from './bulk-wallets.ts';
import { releaseByWallets } from './release-transactions.ts';

export interface ConfirmedWallets {
  /** In the order of the ids. */
  wallets: WalletRecord[];
  outbox: OutboxEntry[];
}

/**
 * Confirms wallets of a tenant, all or none; those that are CONFIRMED stay as they are. Messages that wait for them
 * become visible. A wallet that was registered and then set to UNCONFIRMED routes again; one that was only detected does
 * not. Throws not_found with the unknown `ids`.
 */
export async function confirmWallets(
  db: Database,
  tx: pg.PoolClient,
  chosen: WalletIds,
  now: Date,
): Promise<ConfirmedWallets> {
  // Before any row lock: a message that is being delivered is seen, or sees the confirmation.
  const places = await findWalletPlaces(tx, chosen);
  await lockRoutes(tx, places.map(destinationRoute));
  await lockWallets(tx, chosen);
  const confirmed = await confirmLocked(tx, chosen, now);
  const walletIds = confirmed.map((wallet) => wallet.id);
  const released = await releaseByWallets(db, tx, { tenantId: chosen.tenantId, walletIds }, now);
  const routed = confirmed.filter((wallet) => wallet.source !== 'DETECTED');
  const destinationsNormal = routed.map((wallet) => wallet.address_normal);
  const woken = await wakeUnrouted(tx, { destinationsNormal }, now);
  return { wallets: await readWallets(db, tx, chosen), outbox: [...released, ...woken] };
}

interface ConfirmedRow {
  id: number;
  source: string;
  address_normal: string;
}

async function confirmLocked(
  tx: pg.PoolClient,
  { tenantId, ids }: WalletIds,
  now: Date,
): Promise<ConfirmedRow[]> {
  const { rows } = await tx.query<ConfirmedRow>(
    `update wallets set status = 'CONFIRMED', confirmed_at = $3, updated_at = $3
     where tenant_id = $1 and id = any($2::bigint[]) and status = 'UNCONFIRMED'
     returning id, source, address_normal`,
    [tenantId, ids, now],
  );
  return rows;
}
