import type pg from 'pg';
import { DomainError } from '../../domain/errors.ts';
import type { NewWallet, WalletRecord } from '../../domain/wallets/wallet.ts';
import type { Database } from '../database.ts';
import { feedEntries } from '../events/feed-entries.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import { wakeUnrouted } from '../transactions/wake-unrouted.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { WalletRelease } from './open-release.ts';
import { beginRelease } from './release-transactions.ts';
import { sealHolderName, sealMetadata, toWallet, WALLET_COLUMNS, type WalletRow } from './wallet-row.ts';

interface Registration {
  tenantId: string;
  wallet: NewWallet;
  /** How it came to be registered; MANUAL unless given. */
  source?: 'MANUAL' | 'ANSWERED';
  now: Date;
}

export interface RegisteredWallet {
  wallet: WalletRecord;
  /** To be done by the caller after the transaction. */
  release: WalletRelease | null;
  outbox: OutboxEntry[];
}

/**
 * Registers a wallet for a tenant, CONFIRMED. An UNCONFIRMED wallet is confirmed; a DETECTED one routes from now on.
 * Messages that wait for it are released, and messages without a receiver are routed again. Throws conflict with the
 * `id` of a wallet that is registered already.
 */
export async function registerWallet(
  db: Database,
  tx: pg.PoolClient,
  registration: Registration,
): Promise<RegisteredWallet> {
  const { tenantId, now, wallet } = registration;
  await lockRoutes(tx, [destinationRoute(wallet.addressNormal)]);
  const row = (await insertWallet(db, tx, registration)) ?? (await confirmRegistered(db, tx, registration));
  const { release, outbox } = await beginRelease(tx, { tenantId, walletIds: [row.id] }, now);
  const woken = await wakeUnrouted(tx, { destinationsNormal: [wallet.addressNormal] }, now);
  return { wallet: await toWallet(db, row), release, outbox: [...outbox, ...woken] };
}

/** SQL: the part of a statement that announces the wallet of its part `registered`. */
const LOGGED = (at: string) =>
  `logged as (${feedEntries({ kind: 'WALLET', type: 'REGISTERED', rows: 'registered', at })})`;

/** Inserts the wallet. Undefined when the tenant has it already. */
async function insertWallet(
  db: Database,
  tx: pg.PoolClient,
  { tenantId, wallet, source = 'MANUAL', now }: Registration,
): Promise<WalletRow | undefined> {
  const id = await nextId(tx);
  const keys = await db.vault.tenantKeys(tenantId);
  const { metadata, searchTokens } = sealMetadata(keys, tenantId, id, wallet.metadata);
  const holderName = sealHolderName(keys, tenantId, id, wallet.holderName);
  const { rows } = await tx.query<WalletRow>(
    `with registered as (
       insert into wallets (id, tenant_id, address, address_normal, tag, asset, blockchain, blockchain_key, metadata,
         search_tokens, status, source, created_at, updated_at, confirmed_at, holder_name)
       overriding system value
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'CONFIRMED', $13, $11, $11, $11, $12)
       on conflict (tenant_id, address_normal, blockchain_key, upper(asset), coalesce(tag, '')) do nothing
       returning ${WALLET_COLUMNS}
     ), ${LOGGED('$11')}
     select ${WALLET_COLUMNS} from registered`,
    [id, tenantId, ...addressValues(wallet), metadata, searchTokens, now, holderName, source],
  );
  return rows[0];
}

/** Reserves the id, since the metadata is sealed for it. */
async function nextId(tx: pg.PoolClient): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('wallets', 'id')) as id`,
  );
  if (!rows[0]) throw new Error('the sequence gave no id');
  return rows[0].id;
}

function addressValues(wallet: NewWallet): unknown[] {
  return [
    wallet.address,
    wallet.addressNormal,
    wallet.tag,
    wallet.asset,
    wallet.blockchain,
    wallet.blockchainKey,
  ];
}

async function confirmRegistered(
  db: Database,
  tx: pg.PoolClient,
  { tenantId, wallet, source = 'MANUAL', now }: Registration,
): Promise<WalletRow> {
  const known = await lockRegistered(tx, tenantId, wallet);
  // The wallet was deleted in the meantime.
  if (!known) throw new DomainError('temporarily_unavailable', 'Try again.', { retryAfterSeconds: 1 });
  if (known.status === 'CONFIRMED' && known.source !== 'DETECTED') {
    throw new DomainError('conflict', 'This wallet is registered already.', { members: { id: known.id } });
  }
  const keys = await db.vault.tenantKeys(tenantId);
  const { metadata, searchTokens } = sealMetadata(keys, tenantId, known.id, wallet.metadata);
  const holderName = sealHolderName(keys, tenantId, known.id, wallet.holderName);
  const { rows } = await tx.query<WalletRow>(
    `with registered as (
       update wallets set address = $3, asset = $4, blockchain = $5,
         metadata = coalesce($6, metadata), search_tokens = case when $6::bytea is null then search_tokens else $7 end,
         holder_name = coalesce($9, holder_name), status = 'CONFIRMED', source = $10, updated_at = $8, confirmed_at = coalesce(confirmed_at, $8),
         version = version + 1
       where tenant_id = $1 and id = $2 returning ${WALLET_COLUMNS}
     ), ${LOGGED('$8')}
     select ${WALLET_COLUMNS} from registered`,
    [
      tenantId,
      known.id,
      wallet.address,
      wallet.asset,
      wallet.blockchain,
      metadata,
      searchTokens,
      now,
      holderName,
      source,
    ],
  );
  if (!rows[0]) throw new Error('a locked wallet is gone');
  return rows[0];
}

type KnownWallet = Pick<WalletRow, 'id' | 'status' | 'source'>;

async function lockRegistered(
  tx: pg.PoolClient,
  tenantId: string,
  { addressNormal, blockchainKey, asset, tag }: NewWallet,
): Promise<KnownWallet | undefined> {
  const { rows } = await tx.query<KnownWallet>(
    `select id, status, source from wallets
     where tenant_id = $1 and address_normal = $2 and blockchain_key = $3 and upper(asset) = upper($4)
       and coalesce(tag, '') = coalesce($5, '') for update`,
    [tenantId, addressNormal, blockchainKey, asset, tag],
  );
  return rows[0];
}
