import type { WalletCheck } from '../../domain/kyw/schema.ts';
import type { Database } from '../database.ts';
import { checkContext } from './check-row.ts';

/** Keeps a check exactly as it is answered. */
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
    values: [tenantId, check.id, keys.seal(checkContext(tenantId, check.id), check), now],
  });
}
