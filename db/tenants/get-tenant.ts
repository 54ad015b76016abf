import { notFound } from '../../domain/errors.ts';
import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import type { Database } from '../database.ts';
import { TENANT_COLUMNS, toTenant, type TenantRow } from './tenant-row.ts';
import { openWebhookSecret } from '../webhooks/webhook-secret.ts';

export interface OpenTenant {
  tenant: TenantRecord;
  webhookSecret: string;
}

/** A tenant with its webhook secret. Throws not_found. */
export async function getTenant(db: Database, tenantId: string): Promise<OpenTenant> {
  const { rows } = await db.pool.query<TenantRow>(
    `select ${TENANT_COLUMNS} from tenants where id = $1 and gateway is null and erased_at is null`,
    [tenantId],
  );
  const row = rows[0];
  if (!row) throw notFound('tenant');
  return { tenant: toTenant(row), webhookSecret: await openWebhookSecret(db, row) };
}
