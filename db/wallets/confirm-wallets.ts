import type pg from 'pg';
import type { WalletRecord } from '../../domain/wallets/wallet.ts';
import type { Database } from '../database.ts';
import { feedEntries } from '../events/feed-entries.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import { wakeUnrouted } from '../transactions/wake-unrouted.ts';
import type { OutboxEntry } from '../outbox.ts';
import { findWalletAddresses, lockWallets, readWallets, type WalletIds } from './bulk-wallets.ts';
import type { WalletRelease } from './open-release.ts';
import { beginRelease } from './release-transactions.ts';

export interface ConfirmedWallets {
  /** In the order of the ids. */
  wallets: WalletRecord[];
  /** To be done by the caller after the transaction. */
  release: WalletRelease | null;
  outbox: OutboxEntry[];
}

/**
 * Confirms wallets of a tenant, all or none; CONFIRMED ones stay as they are. Messages that wait for them become
 * visible shortly. A wallet that was registered and then set to UNCONFIRMED routes again; a DETECTED one does not. Throws
 * not_found with the unknown `ids`.
 */
export async function confirmWallets(
  db: Database,
  tx: pg.PoolClient,
  chosen: WalletIds,
  now: Date,
): Promise<ConfirmedWallets> {
  // Taken before any row lock: a message that is being delivered is found here, or finds the confirmed wallet.
  const addresses = await findWalletAddresses(tx, chosen);
  await lockRoutes(tx, addresses.map(destinationRoute));
  await lockWallets(tx, chosen);
  const confirmed = await confirmLocked(tx, chosen, now);
  const walletIds = confirmed.map((wallet) => wallet.id);
  const begun = await beginRelease(tx, { tenantId: chosen.tenantId, walletIds }, now);
  const routed = confirmed.filter((wallet) => wallet.source !== 'DETECTED');
  const destinationsNormal = routed.map((wallet) => wallet.address_normal);
  const woken = await wakeUnrouted(tx, { destinationsNormal }, now);
  const wallets = await readWallets(db, tx, chosen);
  return { wallets, release: begun.release, outbox: [...begun.outbox, ...woken] };
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
    `with confirmed as (
       update wallets set status = 'CONFIRMED', confirmed_at = $3, updated_at = $3, version = version + 1
       where tenant_id = $1 and id = any($2::bigint[]) and status = 'UNCONFIRMED'
       returning tenant_id, id, version, source, address_normal
     ), logged as (${feedEntries({ kind: 'WALLET', type: 'CONFIRMED', rows: 'confirmed', at: '$3' })})
     select id, source, address_normal from confirmed`,
    [tenantId, ids, now],
  );
  return rows;
}
