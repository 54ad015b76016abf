import type pg from 'pg';
import { LISTED_LIMIT, type ImportCounts } from '../../domain/wallets/wallet-import.ts';
import type { NewWallet } from '../../domain/wallets/wallet.ts';
import { columnNames, type Column } from '../columns.ts';
import { copyRows } from '../copy-rows.ts';
import { type Database } from '../database.ts';
import { findListedWallets } from '../wallets/find-listed-wallets.ts';
import { sealHolderName, sealMetadata, type SealedMetadata } from '../wallets/wallet-row.ts';
import type { WrittenWallet } from './announce-wallets.ts';
import { confirmWallets } from './confirm-wallets.ts';
import type { UploadRef } from './chunks.ts';
import { lockUnwritten, storeWritten } from './finish-import.ts';
import { rememberTokens, type MetadataKeys } from './remember-tokens.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

interface CheckedFile {
  /** The rows without those that stand in the file twice. */
  wallets: readonly NewWallet[];
  /** All rows. */
  total: number;
}

/** What the import of a file needs besides the transaction, made before it. */
interface ImportWork extends CheckedFile {
  place: UploadRef;
  ids: readonly number[];
  /** Those that an active sanctions list names. */
  listed: readonly NewWallet[];
  keys: MetadataKeys;
  now: Date;
}

/**
 * Registers all wallets of a checked file and stores their counts and those on sanctions lists, in one transaction: everything or nothing. Returns
 * the registered wallets, which are to be announced before the import is DONE. Null when the import has ended or has written its wallets already.
 */
export async function writeWallets(
  db: Database,
  place: UploadRef,
  file: CheckedFile,
  now: Date,
): Promise<WrittenWallet[] | null> {
  const keys = rememberTokens(await db.vault.tenantKeys(place.tenantId));
  const ids = await takeIds(db.pool, file.wallets.length);
  const listed = await findListedWallets(db.pool, file.wallets, LISTED_LIMIT);
  return await inTransaction(db.pool, async (tx) => {
    if (!(await lockUnwritten(tx, place))) return null;
    return await write(tx, { ...file, place, ids, listed, keys, now });
  });
}

/** Metadata is sealed for its row, so ids come first. */
async function takeIds(db: Queryable, count: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    // Looking the sequence up for each row would take longer than the rest of the import.
    `with sequence as materialized (select pg_get_serial_sequence('wallets', 'id')::regclass as name)
     select nextval(sequence.name) as id from sequence, generate_series(1, $1::int)`,
    [count],
  );
  return rows.map((row) => row.id);
}

async function write(tx: pg.PoolClient, work: ImportWork): Promise<WrittenWallet[]> {
  const { place, wallets, total, listed, keys, now } = work;
  await stageRows(tx, work);
  const created = await insertStaged(tx, place.tenantId, now);
  const byId = new Map(work.ids.map((id, index) => [id, wallets[index]]));
  const isAllNew = created.length === wallets.length;
  const confirmation = { tenantId: place.tenantId, byId, createdIds: created.map(({ id }) => id), now };
  const confirmed = isAllNew ? [] : await confirmWallets(tx, keys, confirmation);
  const counts = { total, created: created.length, confirmed: confirmed.length };
  const sanctionedAddresses = listed.map(({ address }) => address);
  await storeWritten(tx, place, { ...counts, skipped: skippedOf(counts), sanctionedAddresses }, now);
  return [...created, ...confirmed];
}

function skippedOf({ total, created, confirmed }: Omit<ImportCounts, 'skipped'>): number {
  return total - created - confirmed;
}

interface StagedWallet extends SealedMetadata {
  id: number;
  wallet: NewWallet;
  holderName: Buffer | null;
}

const STAGED_COLUMNS: readonly Column<StagedWallet>[] = [
  { name: 'id', type: 'bigint', value: ({ id }) => id },
  { name: 'address', type: 'text', value: ({ wallet }) => wallet.address },
  { name: 'address_normal', type: 'text', value: ({ wallet }) => wallet.addressNormal },
  { name: 'tag', type: 'text', value: ({ wallet }) => wallet.tag },
  { name: 'asset', type: 'text', value: ({ wallet }) => wallet.asset },
  { name: 'blockchain', type: 'text', value: ({ wallet }) => wallet.blockchain },
  { name: 'blockchain_key', type: 'text', value: ({ wallet }) => wallet.blockchainKey },
  { name: 'metadata', type: 'bytea', value: ({ metadata }) => metadata },
  { name: 'holder_name', type: 'bytea', value: ({ holderName }) => holderName },
  { name: 'search_tokens', type: 'text', cast: 'bigint[]', value: ({ searchTokens }) => searchTokens },
];

async function stageRows(tx: pg.PoolClient, { wallets, ids, keys, place }: ImportWork): Promise<void> {
  await tx.query(
    `create temporary table imported_wallets (
       id bigint, address text, address_normal text, tag text, asset text, blockchain text, blockchain_key text,
       metadata bytea, holder_name bytea, search_tokens bigint[]) on commit drop`,
  );
  await copyRows(tx, 'imported_wallets', STAGED_COLUMNS, stagedRows(wallets, ids, keys, place.tenantId));
}

function* stagedRows(
  wallets: readonly NewWallet[],
  ids: readonly number[],
  keys: MetadataKeys,
  tenantId: string,
): Generator<StagedWallet> {
  for (const [index, wallet] of wallets.entries()) {
    const id = ids[index];
    if (id === undefined) throw new Error('the sequence gave too few ids');
    const holderName = sealHolderName(keys, tenantId, id, wallet.holderName);
    yield { id, wallet, holderName, ...sealMetadata(keys, tenantId, id, wallet.metadata) };
  }
}

/** Those that were not registered. */
async function insertStaged(tx: Queryable, tenantId: string, now: Date): Promise<WrittenWallet[]> {
  const { rows } = await tx.query<{ id: number; address_normal: string }>(
    `insert into wallets (${columnNames(STAGED_COLUMNS)}, tenant_id, status, source, created_at, updated_at, confirmed_at)
     overriding system value
     select ${columnNames(STAGED_COLUMNS)}, $1, 'CONFIRMED', 'CSV', $2, $2, $2 from imported_wallets
     on conflict (tenant_id, address_normal, blockchain_key, upper(asset), coalesce(tag, '')) do nothing
     returning id, address_normal`,
    [tenantId, now],
  );
  return rows.map((row) => ({ id: row.id, addressNormal: row.address_normal }));
}
