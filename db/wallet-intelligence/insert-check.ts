import type { WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { Database } from '../database.ts';

/** Stores a wallet check exactly as it is returned. */
export async function insertCheck(
  { pool, vault }: Database,
  tenantId: string,
  check: WalletCheck,
  now: Date,
): Promise<void> {
  const keys = await vault.tenantKeys(tenantId);
  await pool.query({
    name: 'insert-wallet-check',
    text: 'insert into wallet_checks (tenant_id, id, body, created_at) values ($1, $2, $3, $4)',
    values: [tenantId, check.id, keys.seal(sealingContext.walletCheck.body(tenantId, check.id), check), now],
  });
}
