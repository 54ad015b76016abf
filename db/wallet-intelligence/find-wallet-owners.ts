import { BUNDLED_SOURCE } from '../../domain/labels/schema.ts';
import type { NetworkRegistration } from '../../domain/wallet-intelligence/own-data.ts';
import type { Queryable } from '../postgres.ts';

export interface WalletOwners {
  /** The tenant has confirmed the wallet as its own. */
  isOwn: boolean;
  /** Whether another tenant has registered the wallet; which one, and how many, is not shown. */
  network: NetworkRegistration | null;
  areLabelsLoaded: boolean;
}

/** Whether tenants of this deployment hold the wallet, and whether the bundled labels are loaded. */
export async function findWalletOwners(
  db: Queryable,
  tenantId: string,
  { addressNormal, blockchainKey }: { addressNormal: string; blockchainKey: string },
): Promise<WalletOwners> {
  const { rows } = await db.query<WalletOwners>({
    name: 'find-wallet-owners',
    text: `select
        exists (select 1 from wallets w where w.tenant_id = $1 and w.address_normal = $2 and w.blockchain_key = $3
          and w.status = 'CONFIRMED') as "isOwn",
        (select case when bool_or(exists (select from attested_addresses a where a.address_normal = $2
              and a.blockchain_key = $3 and a.tenant_id = w.tenant_id)) then 'ATTESTED' else 'REGISTERED' end
          from wallets w where w.address_normal = $2 and w.blockchain_key = $3
            and w.status = 'CONFIRMED' and w.source <> 'DETECTED' and w.tenant_id <> $1
          having count(*) > 0) as network,
        exists (select 1 from label_imports i where i.source = '${BUNDLED_SOURCE}' and i.is_active) as "areLabelsLoaded"`,
    values: [tenantId, addressNormal, blockchainKey],
  });
  return rows[0] ?? { isOwn: false, network: null, areLabelsLoaded: false };
}
