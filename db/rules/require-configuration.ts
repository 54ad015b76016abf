import { notFound } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';

/** A rule configuration of a tenant, by its ids. */
export interface ConfigurationRef {
  tenantId: string;
  configurationId: string;
}

/** Throws not_found unless the tenant has the configuration. */
export async function requireConfiguration(
  db: Queryable,
  { tenantId, configurationId }: ConfigurationRef,
): Promise<void> {
  const { rows } = await db.query('select 1 from rule_configurations where tenant_id = $1 and id = $2', [
    tenantId,
    configurationId,
  ]);
  if (!rows[0]) throw notFound('rule configuration');
}
