import type { Gateway } from '../../domain/gateways/gateway.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { inTransaction } from '../postgres.ts';
import { insertVaultKeys } from '../vault/vault-keys.ts';
import { insertGateway } from './insert-gateway.ts';

/** The networks that have one gateway for all of their VASPs; each partner has its own. */
const SHARED: readonly Gateway[] = ['TRP', 'EMAIL'];

/** Creates the missing gateways of a deployment; API and worker both see to it, since either may come up first. */
export async function ensureGateways(db: Database, now: Date): Promise<void> {
  for (const gateway of SHARED) {
    await inTransaction(db.pool, async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('gateways'))`);
      const { rowCount } = await tx.query('select 1 from tenants where gateway = $1', [gateway]);
      if (rowCount) return;
      const id = newId(now);
      await insertGateway(tx, { id, gateway, name: gateway, now });
      await insertVaultKeys(tx, db.vault.newTenantKeys(id));
    });
  }
}
