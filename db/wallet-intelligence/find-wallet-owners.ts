import { BUNDLED_SOURCE } from '../../domain/labels/schema.ts';
import type { Queryable } from '../postgres.ts';

export interface WalletOwners {
  /** The tenant has confirmed the wallet as its own. */
  isOwn: boolean;
  /** Another tenant has registered the wallet; which one, and how many, is not shown. */
  isOfNetwork: boolean;
  areLabelsLoaded: boolean;
}

/** Whether tenants of this deployment hold the wallet, and whether the bundled labels are loaded. */
export async function findWalletOwners(
  db: Queryable,
  tenantId: string,
  { addressNormal, blockchainKey }: { addressNormal: string; blockchainKey: string },
): Promise<WalletOwners> {
  const { rows } = await db.query<{ is_own: boolean; is_of_network: boolean; are_labels_loaded: boolean }>({
    name: 'find-wallet-owners',
    text: `select
        exists (select 1 from wallets w where w.tenant_id = $1 and w.address_normal = $2 and w.blockchain_key = $3
          and w.status = 'CONFIRMED') as is_own,
        exists (select 1 from wallets w where w.address_normal = $2 and w.blockchain_key = $3
          and w.status = 'CONFIRMED' and w.source <> 'DETECTED' and w.tenant_id <> $1) as is_of_network,
        exists (select 1 from label_imports i where i.source = '${BUNDLED_SOURCE}' and i.is_active) as are_labels_loaded`,
    values: [tenantId, addressNormal, blockchainKey],
  });
  const [row] = rows;
  return {
    isOwn: row?.is_own ?? false,
    isOfNetwork: row?.is_of_network ?? false,
    areLabelsLoaded: row?.are_labels_loaded ?? false,
  };
}
