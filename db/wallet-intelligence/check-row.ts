import type { WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { Database } from '../database.ts';

export interface CheckRow {
  id: string;
  body: Buffer;
}

/** Decrypts wallet checks of one tenant. */
export async function toChecks(
  { vault }: Database,
  tenantId: string,
  rows: readonly CheckRow[],
): Promise<WalletCheck[]> {
  const keys = await vault.tenantKeys(
    tenantId,
    rows.map(({ body }) => body),
  );
  return rows.map(({ id, body }) =>
    keys.open<WalletCheck>(sealingContext.walletCheck.body(tenantId, id), body),
  );
}
