import type { Logger } from 'pino';
import type { Settings } from './settings.ts';
import type { Database } from '../db/database.ts';
import { ensureTestVasps } from '../db/tenants/ensure-test-vasps.ts';

/** Gives a sandbox its test VASPs; api and worker both see to it, since either may come up first or alone. */
export async function ensureSandbox(settings: Settings, db: Database, log: Logger): Promise<void> {
  if (settings.ENVIRONMENT !== 'sandbox') return;
  for (const name of await ensureTestVasps(db, new Date())) {
    log.warn({ name }, 'this sandbox goes without a test VASP: a tenant of an operator has its name');
  }
}
