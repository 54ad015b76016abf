import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { ensureTenantEntities } from '../db/tenants/ensure-tenant-entities.ts';
import { loadBundledEntities } from '../db/entities/load-bundled.ts';

/** Completes the directory of entities at the start; api and worker both see to it, since either may come up first. */
export async function ensureEntityDirectory(db: Database, log: Logger): Promise<void> {
  const now = new Date();
  await ensureTenantEntities(db, now);
  const counts = await loadBundledEntities(db, now);
  if (counts) log.info(counts, 'the bundled directory of entities was loaded');
}
