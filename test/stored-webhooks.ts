import { sealingContext } from '../db/vault/contexts.ts';
import type { Transaction } from '../domain/transactions/schema.ts';
import type { TestApi } from './api-client.ts';

/** The webhook bodies of a transaction by version, oldest first. */
export async function storedWebhooks(
  { db }: Pick<TestApi, 'db'>,
  tenant: { id: string },
  id: string,
): Promise<Transaction[]> {
  const { rows } = await db.pool.query<{ delivery_id: string; body: Buffer; record_key: Buffer }>(
    `select d.id as delivery_id, d.body, t.record_key from webhook_deliveries d join transactions t on t.id = d.resource_id
     where d.tenant_id = $1 and d.resource_id = $2 order by d.resource_version`,
    [tenant.id, id],
  );
  const keys = await db.vault.tenantKeys(tenant.id);
  const place = { tenantId: tenant.id, id };
  return rows.map((row) =>
    keys
      .openRecordKey(row.record_key, sealingContext.transaction.key(place))
      .open<Transaction>(sealingContext.transaction.webhook(place, row.delivery_id), row.body),
  );
}

/** The clearance outcomes in the webhooks of a transaction, oldest first. */
export async function outcomesTold(
  api: Pick<TestApi, 'db'>,
  tenant: { id: string },
  id: string,
): Promise<Transaction['clearance']['outcome'][]> {
  return (await storedWebhooks(api, tenant, id)).map(({ clearance }) => clearance.outcome);
}
