import type pg from 'pg';
import { notFound } from '../../domain/errors.ts';
import type { WalletPatch, WalletRecord } from '../../domain/wallets/wallet.ts';
import type { Database } from '../database.ts';
import { feedEntries } from '../events/feed-entries.ts';
import type { OutboxEntry } from '../outbox.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import { wakeUnrouted } from '../transactions/wake-unrouted.ts';
import { findWalletAddresses, readWallets } from './bulk-wallets.ts';
import { confirmWallets } from './confirm-wallets.ts';
import type { WalletRelease } from './open-release.ts';
import { sealHolderName, sealMetadata } from './wallet-row.ts';

interface WalletChange {
  tenantId: string;
  id: number;
  patch: WalletPatch;
  now: Date;
}

export interface PatchedWallet {
  wallet: WalletRecord;
  /** To be done by the caller after the transaction. */
  release: WalletRelease | null;
  outbox: OutboxEntry[];
}

/**
 * Confirms a wallet like confirmWallets, or sets it to UNCONFIRMED: it then routes nothing, and messages that arrive
 * from now on are hidden, while earlier ones stay as they are. Null clears metadata and holder. Throws not_found.
 */
export async function patchWallet(
  db: Database,
  tx: pg.PoolClient,
  change: WalletChange,
): Promise<PatchedWallet> {
  const { tenantId, id, patch, now } = change;
  const chosen = { tenantId, ids: [id] };
  if (!(await walletExists(tx, change))) throw notFound('wallet');
  const confirmed = patch.status === 'CONFIRMED' ? await confirmWallets(db, tx, chosen, now) : null;
  const woken = patch.status === 'UNCONFIRMED' ? await unconfirm(tx, change) : [];
  if (patch.metadata !== undefined) await setMetadata(db, tx, change, patch.metadata);
  if (patch.holderName !== undefined) await setHolderName(db, tx, change, patch.holderName);
  const [wallet] = await readWallets(db, tx, chosen);
  // The wallet was deleted in the meantime.
  if (!wallet) throw notFound('wallet');
  return { wallet, release: confirmed?.release ?? null, outbox: confirmed?.outbox ?? woken };
}

async function walletExists(tx: pg.PoolClient, { tenantId, id }: WalletChange): Promise<boolean> {
  const { rows } = await tx.query('select 1 from wallets where tenant_id = $1 and id = $2', [tenantId, id]);
  return rows.length > 0;
}

/** A wallet that is not confirmed receives nothing: messages to it that are not sent yet are routed and decided again. */
async function unconfirm(tx: pg.PoolClient, { tenantId, id, now }: WalletChange): Promise<OutboxEntry[]> {
  const destinationsNormal = await findWalletAddresses(tx, { tenantId, ids: [id] });
  await lockRoutes(tx, destinationsNormal.map(destinationRoute));
  await tx.query(
    `with unconfirmed as (
       update wallets set status = 'UNCONFIRMED', confirmed_at = null, updated_at = $3, version = version + 1
       where tenant_id = $1 and id = $2 and status = 'CONFIRMED' returning tenant_id, id, version
     ) ${feedEntries({ kind: 'WALLET', type: 'UNCONFIRMED', rows: 'unconfirmed', at: '$3' })}`,
    [tenantId, id, now],
  );
  return await wakeUnrouted(tx, { destinationsNormal }, now);
}

async function setMetadata(
  db: Database,
  tx: pg.PoolClient,
  { tenantId, id, now }: WalletChange,
  text: string | null,
): Promise<void> {
  const keys = await db.vault.tenantKeys(tenantId);
  const { metadata, searchTokens } = sealMetadata(keys, tenantId, id, text);
  await tx.query(
    `with changed as (
       update wallets set metadata = $3, search_tokens = $4, updated_at = $5, version = version + 1
       where tenant_id = $1 and id = $2 returning tenant_id, id, version
     ) ${feedEntries({ kind: 'WALLET', type: 'DATA_UPDATED', rows: 'changed', at: '$5' })}`,
    [tenantId, id, metadata, searchTokens, now],
  );
}

async function setHolderName(
  db: Database,
  tx: pg.PoolClient,
  { tenantId, id, now }: WalletChange,
  text: string | null,
): Promise<void> {
  const keys = await db.vault.tenantKeys(tenantId);
  await tx.query(
    `with changed as (
       update wallets set holder_name = $3, updated_at = $4, version = version + 1
       where tenant_id = $1 and id = $2 returning tenant_id, id, version
     ) ${feedEntries({ kind: 'WALLET', type: 'DATA_UPDATED', rows: 'changed', at: '$4' })}`,
    [tenantId, id, sealHolderName(keys, tenantId, id, text), now],
  );
}
