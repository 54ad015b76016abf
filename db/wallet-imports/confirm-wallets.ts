import type { NewWallet } from '../../domain/wallets/wallet.ts';
import type { Queryable } from '../postgres.ts';
import { unnestRows, unnestValues, type Column } from '../columns.ts';
import { sealHolderName, sealMetadata } from '../wallets/wallet-row.ts';
import type { MetadataKeys } from './remember-tokens.ts';

interface ImportConfirmation {
  tenantId: string;
  /** The rows of the file by their staged ids. */
  byId: ReadonlyMap<number, NewWallet | undefined>;
  /** Ids of rows that were inserted as new wallets. */
  createdIds: readonly number[];
  now: Date;
}

interface ConfirmedWallets {
  id: number;
  address: string;
  asset: string;
  blockchain: string;
  metadata: Buffer | null;
  holderName: Buffer | null;
  searchTokens: string;
}

const columns: Column<ConfirmedWallets>[] = [
  { name: 'id', type: 'bigint', value: (wallet) => wallet.id },
  { name: 'address', type: 'text', value: (wallet) => wallet.address },
  { name: 'asset', type: 'text', value: (wallet) => wallet.asset },
  { name: 'blockchain', type: 'text', value: (wallet) => wallet.blockchain },
  { name: 'metadata', type: 'bytea', value: (wallet) => wallet.metadata },
  { name: 'holder_name', type: 'bytea', value: (wallet) => wallet.holderName },
  { name: 'search_tokens', type: 'text', cast: 'bigint[]', value: (wallet) => wallet.searchTokens },
];

/**
 * Confirms the wallets of a file that the tenant has as UNCONFIRMED, or that were only detected; they route from now on, as
 * with `POST /wallets`.
 * Metadata and holders of the file replace the stored ones.
 */
export async function confirmWallets(
  tx: Queryable,
  keys: MetadataKeys,
  { tenantId, byId, createdIds, now }: ImportConfirmation,
): Promise<{ id: number; addressNormal: string }[]> {
  await tx.query('delete from imported_wallets where id = any($1::bigint[])', [createdIds]);
  // Without statistics the planner takes the table for a small one and compares every pair of rows.
  await tx.query('analyze imported_wallets');
  const { rows } = await tx.query<{ id: number; staged_id: number }>(
    `select w.id, i.id as staged_id from imported_wallets i join wallets w
       on w.tenant_id = $1 and w.address_normal = i.address_normal and w.blockchain_key = i.blockchain_key
       and upper(w.asset) = upper(i.asset) and coalesce(w.tag, '') = coalesce(i.tag, '')
     where w.status = 'UNCONFIRMED' or w.source = 'DETECTED' order by w.id for update of w`,
    [tenantId],
  );
  const confirmed = rows.flatMap(({ id, staged_id: stagedId }) => {
    const wallet = byId.get(stagedId);
    if (!wallet) return [];
    const holderName = sealHolderName(keys, tenantId, id, wallet.holderName);
    return [{ ...wallet, id, ...sealMetadata(keys, tenantId, id, wallet.metadata), holderName }];
  });
  if (confirmed.length > 0) await update(tx, tenantId, confirmed, now);
  return confirmed;
}

async function update(
  tx: Queryable,
  tenantId: string,
  confirmed: readonly ConfirmedWallets[],
  now: Date,
): Promise<void> {
  await tx.query(
    `update wallets w set address = r.address, asset = r.asset, blockchain = r.blockchain,
       metadata = coalesce(r.metadata, w.metadata), holder_name = coalesce(r.holder_name, w.holder_name),
       search_tokens = case when r.metadata is null then w.search_tokens else r.search_tokens::bigint[] end,
       status = 'CONFIRMED', source = 'CSV', updated_at = $2, confirmed_at = $2,
       version = w.version + 1
     from ${unnestRows(columns, 3)} where w.tenant_id = $1 and w.id = r.id`,
    [tenantId, now, ...unnestValues(columns, confirmed)],
  );
}
