import type { WalletCheck } from '../../domain/kyw/schema.ts';
import type { Database } from '../database.ts';

export interface CheckRow {
  id: string;
  body: Buffer;
}

export function checkContext(tenantId: string, id: string): string {
  return `wallet_checks:body:${tenantId}:${id}`;
}

/** Opens rows of one tenant. */
export async function toChecks(
  { vault }: Database,
  tenantId: string,
  rows: readonly CheckRow[],
): Promise<WalletCheck[]> {
  const keys = await vault.tenantKeys(
    tenantId,
    rows.map(({ body }) => body),
  );
  return rows.map(({ id, body }) => keys.open<WalletCheck>(checkContext(tenantId, id), body));
}
