import type { Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { emptyNextTable } from './empty-tables.ts';
import { ERASED_CHANNEL } from './follow-erasures.ts';

const UNERASED = `
  select exists (select from transactions where tenant_id = $1 and erased_at is null)
    or exists (select from claims where tenant_id = $1 and erased_at is null)
    or exists (select from verifications where tenant_id = $1 and erased_at is null)
    or exists (select from verification_files where tenant_id = $1)
    or exists (select from branding_files where tenant_id = $1)
    or exists (select from monthly_reports where tenant_id = $1)
    or exists (select from exports where tenant_id = $1) as found`;

const COUNT = `
  update tenant_erasures e set
    erased_transactions = (select count(*) from transactions r where r.tenant_id = e.tenant_id and r.erased_at >= e.started_at),
    erased_claims = (select count(*) from claims r where r.tenant_id = e.tenant_id and r.erased_at >= e.started_at),
    erased_verifications = (select count(*) from verifications r where r.tenant_id = e.tenant_id and r.erased_at >= e.started_at)
  where e.id = $1 and e.state = 'RUNNING'`;

/**
 * Destroys the keys of a tenant once nothing of it is left, and tells every process to drop its copies with the commit. False
 * where something was written meanwhile, by a request that had begun before the erasure: the caller erases again.
 */
export async function destroyKeys(
  { pool, vault }: Pick<Database, 'pool' | 'vault'>,
  { id, tenantId }: { id: string; tenantId: string },
  now: Date,
): Promise<boolean> {
  const isDone = await inTransaction(pool, async (tx) => {
    await tx.query('select 1 from tenants where id = $1 for update', [tenantId]);
    if (await isSomethingLeft(tx, tenantId)) return false;
    await tx.query('delete from vault_keys where owner = $1', [tenantId]);
    await tx.query(
      `update tenants set entity_id = null, webhook_secret = null, keys_destroyed_at = coalesce(keys_destroyed_at, $2) where id = $1`,
      [tenantId, now],
    );
    await tx.query(COUNT, [id]);
    await tx.query('select pg_notify($1, $2)', [ERASED_CHANNEL, tenantId]);
    return true;
  });
  if (isDone) vault.dropTenant(tenantId);
  return isDone;
}

async function isSomethingLeft(tx: Queryable, tenantId: string): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(UNERASED, [tenantId]);
  return rows[0]?.found === true || (await emptyNextTable(tx, tenantId)) > 0;
}
