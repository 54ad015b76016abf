import type { ConfigurationRecord } from '../../domain/rules/configuration.ts';
import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import {
  CONFIGURATION_COLUMNS,
  sealedIn,
  toConfiguration,
  VERSION_COLUMNS,
  type ConfigurationRow,
  type VersionRow,
} from './configuration-row.ts';

type JoinedRow = ConfigurationRow & (VersionRow | { version: null; content: null; comment: null });

const READ = `
  select ${CONFIGURATION_COLUMNS}, ${VERSION_COLUMNS} from rule_configurations c
  left join rule_versions v on v.configuration_id = c.id and v.version = c.published_version
  where c.tenant_id = $1 and ($2::uuid is null or c.id = $2) order by c.direction desc`;

/** Both rule configurations of a tenant, OUTGOING first. */
export async function listConfigurations(db: Database, tenantId: string): Promise<ConfigurationRecord[]> {
  return await read(db, tenantId, null);
}

/** One rule configuration. Throws not_found, also for another tenant's. */
export async function getConfiguration(
  db: Database,
  tenantId: string,
  id: string,
): Promise<ConfigurationRecord> {
  const [found] = await read(db, tenantId, id);
  if (!found) throw notFound('rule configuration');
  return found;
}

async function read(db: Database, tenantId: string, id: string | null): Promise<ConfigurationRecord[]> {
  const { rows } = await db.pool.query<JoinedRow>(READ, [tenantId, id]);
  const keys = await db.vault.tenantKeys(tenantId, sealedIn(rows));
  return rows.map((row) => toConfiguration(row, row.version === null ? null : row, keys));
}
