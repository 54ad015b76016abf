import { searchTerms, searchWords } from '../../domain/fold.ts';
import type { WalletRecord, WalletSource, WalletStatus } from '../../domain/wallets/wallet.ts';
import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

export interface WalletRow {
  id: number;
  tenant_id: string;
  address: string;
  tag: string | null;
  asset: string;
  blockchain: string;
  metadata: Buffer | null;
  holder_name: Buffer | null;
  status: WalletStatus;
  source: WalletSource;
  version: number;
  created_at: Date;
  updated_at: Date;
  confirmed_at: Date | null;
}

export const WALLET_COLUMNS =
  'id, tenant_id, address, tag, asset, blockchain, metadata, holder_name, status, source, version, created_at, updated_at, confirmed_at';

/** Decrypts a row with the keys of its tenant. */
export async function toWallet(db: Database, row: WalletRow): Promise<WalletRecord> {
  const sealed = [row.metadata, row.holder_name].filter((value) => value !== null);
  const keys = sealed.length > 0 ? await db.vault.tenantKeys(row.tenant_id, sealed) : undefined;
  return {
    id: row.id,
    address: row.address,
    tag: row.tag,
    asset: row.asset,
    blockchain: row.blockchain,
    metadata:
      keys && row.metadata
        ? keys.open<string>(sealingContext.wallet.metadata(row.tenant_id, row.id), row.metadata)
        : null,
    holderName:
      keys && row.holder_name
        ? keys.open<string>(sealingContext.wallet.holderName(row.tenant_id, row.id), row.holder_name)
        : null,
    status: row.status,
    source: row.source,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    confirmedAt: row.confirmed_at,
  };
}

/** The field of the search tokens of metadata. */
export const WALLET_SEARCH_FIELD = 'walletMetadata';

export interface SealedMetadata {
  metadata: Buffer | null;
  /** A bigint array as PostgreSQL text. */
  searchTokens: string;
}

/** Encrypts metadata for one row, since it is free text and may name people, and makes its search tokens. */
export function sealMetadata(
  keys: Pick<TenantKeys, 'seal' | 'tokens'>,
  tenantId: string,
  id: number,
  metadata: string | null,
): SealedMetadata {
  if (metadata === null) return { metadata: null, searchTokens: '{}' };
  const terms = searchWords(metadata).length > 0 ? searchTerms(metadata) : [];
  return {
    metadata: keys.seal(sealingContext.wallet.metadata(tenantId, id), metadata),
    searchTokens: `{${keys.tokens(WALLET_SEARCH_FIELD, terms).join(',')}}`,
  };
}

/** Encrypts the name of a wallet's holder for one row. No search tokens are made of it. */
export function sealHolderName(
  keys: Pick<TenantKeys, 'seal'>,
  tenantId: string,
  id: number,
  holderName: string | null,
): Buffer | null {
  return holderName === null ? null : keys.seal(sealingContext.wallet.holderName(tenantId, id), holderName);
}
