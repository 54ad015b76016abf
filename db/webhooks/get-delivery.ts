import { notFound } from '../../domain/errors.ts';
import type { DeliveryRecord } from '../../domain/webhooks/schema.ts';
import type { Queryable } from '../postgres.ts';
import { DELIVERY_COLUMNS, toDelivery, type DeliveryRow } from './delivery-row.ts';

/** A delivery to a tenant with its attempts. Throws not_found. */
export async function getDelivery(db: Queryable, tenantId: string, id: string): Promise<DeliveryRecord> {
  const { rows } = await db.query<DeliveryRow>(
    `select ${DELIVERY_COLUMNS} from webhook_deliveries d where d.tenant_id = $1 and d.id = $2 and d.partner_id is null`,
    [tenantId, id],
  );
  if (!rows[0]) throw notFound('webhook delivery');
  return toDelivery(rows[0]);
}
