import type { Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { destinationRoute, lockRoutes, MAX_ROUTES } from '../routes/route-lock.ts';
import { wakeUnrouted } from '../transactions/wake-unrouted.ts';
import { beginRelease, type BegunRelease } from '../wallets/release-transactions.ts';
import type { UploadRef } from './chunks.ts';

/**
 * The normalised addresses of the wallets that a running import has written, each once; of wallets that were deleted or
 * confirmed anew since then, none. Empty when the import has ended or has written nothing yet.
 */
export async function findUnannounced(db: Queryable, { tenantId, id }: UploadRef): Promise<string[]> {
  const { rows } = await db.query<{ address_normal: string }>(
    // The time of the last change is indexed; it is not before the confirmation, but for clocks that differ.
    `select distinct w.address_normal from wallet_imports i join wallets w
       on w.tenant_id = i.tenant_id and w.updated_at >= i.written_at - interval '1 hour'
         and w.confirmed_at = i.written_at and w.source = 'CSV'
     where i.tenant_id = $1 and i.id = $2 and i.state = 'RUNNING'`,
    [tenantId, id],
  );
  return rows.map((row) => row.address_normal);
}

interface WrittenWallets {
  tenantId: string;
  /** Normalised addresses of wallets that are committed, each once. */
  destinationsNormal: readonly string[];
}

/**
 * Tells whoever waits for wallets that an import has registered: messages that wait for one of them are released, and
 * messages without a receiver are routed again. Each transaction locks up to 1,000 destinations: a delivery or routing
 * that has not seen the wallets there ends before and is found, and whoever comes later sees them. A repeat does no harm.
 */
export async function* announceWallets(
  db: Database,
  { tenantId, destinationsNormal }: WrittenWallets,
  now: Date,
): AsyncGenerator<BegunRelease> {
  for (let start = 0; start < destinationsNormal.length; start += MAX_ROUTES) {
    const some = destinationsNormal.slice(start, start + MAX_ROUTES);
    yield await inTransaction(
      db.pool,
      async (tx) => await announce(tx, { tenantId, destinationsNormal: some }, now),
    );
  }
}

async function announce(
  tx: Queryable,
  { tenantId, destinationsNormal }: WrittenWallets,
  now: Date,
): Promise<BegunRelease> {
  await lockRoutes(tx, destinationsNormal.map(destinationRoute));
  const walletIds = await findWalletIds(tx, { tenantId, destinationsNormal });
  const { release, outbox } = await beginRelease(tx, { tenantId, walletIds }, now);
  return { release, outbox: [...outbox, ...(await wakeUnrouted(tx, { destinationsNormal }, now))] };
}

async function findWalletIds(
  tx: Queryable,
  { tenantId, destinationsNormal }: WrittenWallets,
): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    'select id from wallets where tenant_id = $1 and address_normal = any($2::text[])',
    [tenantId, destinationsNormal],
  );
  return rows.map((row) => row.id);
}
