import type { Logger } from 'pino';
import type { Settings } from './settings.ts';
import type { Database } from '../db/database.ts';
import { ensureGateways } from '../db/gateways/ensure-gateways.ts';
import { ensureTestVasps } from '../db/tenants/ensure-test-vasps.ts';

/**
 * Makes the tenants that nobody sees: the gateways of networks, and the test VASPs of a sandbox. Api and worker both see to
 * it, since either may come up first or alone.
 */
export async function ensureHiddenTenants(settings: Settings, db: Database, log: Logger): Promise<void> {
  await ensureGateways(db, new Date());
  if (settings.ENVIRONMENT !== 'sandbox') return;
  for (const name of await ensureTestVasps(db, new Date())) {
    log.warn({ name }, 'this sandbox goes without a test VASP: a tenant of an operator has its name');
  }
}
