import type { Queryable } from '../postgres.ts';
import { ASSET_FITS } from './match-wallet.ts';

interface DepositAddress {
  tenantId: string;
  addressNormal: string;
  blockchainKey: string;
  asset: string;
}

/** Whether the tenant has a confirmed wallet of this address for the asset, without a tag. */
export async function isRegistered(
  db: Queryable,
  { tenantId, addressNormal, blockchainKey, asset }: DepositAddress,
): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from wallets w where w.tenant_id = $1 and w.address_normal = $2 and w.blockchain_key = $3
       and ${ASSET_FITS('$4')} and w.tag is null and w.status = 'CONFIRMED' limit 1`,
    [tenantId, addressNormal, blockchainKey, asset],
  );
  return rows.length > 0;
}
