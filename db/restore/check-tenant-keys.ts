import type { Database } from '../database.ts';
import { DeploymentMismatch } from '../vault/master-key.ts';
import { NoTenantKeys } from '../vault/tenant-keys.ts';

const PAGE = 1_000;

export interface KeyReport {
  /** Tenants whose keys were looked at. */
  checked: number;
  /** Ids of tenants whose keys the master key does not open. */
  closed: string[];
}

/** Opens the keys of every tenant by the master key. Calls `onProgress` after each thousand of them. */
export async function checkTenantKeys(
  { pool, vault }: Pick<Database, 'pool' | 'vault'>,
  onProgress: (checked: number) => void,
): Promise<KeyReport> {
  const report: KeyReport = { checked: 0, closed: [] };
  let after: string | null = null;
  for (;;) {
    const { rows }: { rows: { id: string }[] } = await pool.query(
      'select id from tenants where keys_destroyed_at is null and ($1::uuid is null or id > $1) order by id limit $2',
      [after, PAGE],
    );
    for (const { id } of rows) {
      if (!(await opens(vault, id))) report.closed.push(id);
    }
    report.checked += rows.length;
    after = rows.at(-1)?.id ?? null;
    if (rows.length < PAGE) return report;
    onProgress(report.checked);
  }
}

async function opens(vault: Database['vault'], tenantId: string): Promise<boolean> {
  try {
    await vault.tenantKeys(tenantId);
    return true;
  } catch (error) {
    if (error instanceof NoTenantKeys || error instanceof DeploymentMismatch) return false;
    throw error;
  }
}
