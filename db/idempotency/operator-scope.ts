import type { Database } from '../database.ts';
import { uniqueViolation } from '../postgres.ts';
import { NoTenantKeys } from '../vault/tenant-keys.ts';
import { insertVaultKeys } from '../vault/vault-keys.ts';

/** The owner of the Idempotency-Keys of operators, who belong to no tenant. */
export const OPERATORS = '00000000-0000-0000-0000-000000000001';

/** Makes the keys that seal the kept answers of operators, unless they are there. */
export async function ensureOperatorKeys({ pool, vault }: Database): Promise<void> {
  try {
    await vault.tenantKeys(OPERATORS);
  } catch (error) {
    if (!(error instanceof NoTenantKeys)) throw error;
    await insertVaultKeys(pool, vault.newTenantKeys(OPERATORS)).catch((conflict: unknown) => {
      // Another request was faster.
      if (uniqueViolation(conflict) === undefined) throw conflict;
    });
  }
}
