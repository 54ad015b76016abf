import type { Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { destinationRoute, lockRoutes, MAX_ROUTES } from '../routes/route-lock.ts';
import { wakeUnrouted } from '../transactions/wake-unrouted.ts';
import { beginRelease, type BegunRelease } from '../wallets/release-transactions.ts';
import type { UploadRef } from './chunks.ts';

export interface WrittenWallet {
  id: number;
  addressNormal: string;
}

/**
 * The wallets that a running import has written, without those that were deleted or confirmed anew since then. None when
 * the import has ended or has written nothing yet.
 */
export async function findUnannounced(db: Queryable, { tenantId, id }: UploadRef): Promise<WrittenWallet[]> {
  const { rows } = await db.query<{ id: number; address_normal: string }>(
    // The time of the last change is indexed; it is not before the confirmation, but for clocks that differ.
    `select w.id, w.address_normal from wallet_imports i join wallets w
       on w.tenant_id = i.tenant_id and w.updated_at >= i.written_at - interval '1 hour'
         and w.confirmed_at = i.written_at and w.source = 'CSV'
     where i.tenant_id = $1 and i.id = $2 and i.state = 'RUNNING'`,
    [tenantId, id],
  );
  return rows.map((row) => ({ id: row.id, addressNormal: row.address_normal }));
}

interface Announcement {
  tenantId: string;
  /** Wallets that are committed. */
  wallets: readonly WrittenWallet[];
}

/**
 * Tells whoever waits for wallets that an import has registered: messages that wait for one of them are released, and
 * messages without a receiver are routed again. Each transaction locks up to 1,000 destinations: a delivery or routing
 * that has not seen the wallets there ends before and is found, and whoever comes later sees them. A repeat does no harm.
 */
export async function* announceWallets(
  db: Database,
  { tenantId, wallets }: Announcement,
  now: Date,
): AsyncGenerator<BegunRelease> {
  const idsOf = byDestination(wallets);
  const all = [...idsOf.keys()];
  for (let start = 0; start < all.length; start += MAX_ROUTES) {
    const destinationsNormal = all.slice(start, start + MAX_ROUTES);
    const walletIds = destinationsNormal.flatMap((destination) => idsOf.get(destination) ?? []);
    yield await inTransaction(
      db.pool,
      async (tx) => await announce(tx, { tenantId, destinationsNormal, walletIds }, now),
    );
  }
}

/** The ids of the wallets by their normalised addresses. */
function byDestination(wallets: readonly WrittenWallet[]): Map<string, number[]> {
  const ids = new Map<string, number[]>();
  for (const { id, addressNormal } of wallets) {
    const known = ids.get(addressNormal);
    if (known) known.push(id);
    else ids.set(addressNormal, [id]);
  }
  return ids;
}

interface AnnouncedPart {
  tenantId: string;
  destinationsNormal: readonly string[];
  /** All wallets of these destinations. */
  walletIds: readonly number[];
}

async function announce(
  tx: Queryable,
  { tenantId, destinationsNormal, walletIds }: AnnouncedPart,
  now: Date,
): Promise<BegunRelease> {
  await lockRoutes(tx, destinationsNormal.map(destinationRoute));
  const { release, outbox } = await beginRelease(tx, { tenantId, walletIds }, now);
  return { release, outbox: [...outbox, ...(await wakeUnrouted(tx, { destinationsNormal }, now))] };
}
