import { requireCallable, type TenantErasure } from '../../domain/tenant-erasures/tenant-erasure.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { getErasure, lockErasure } from './find-erasure.ts';
import { wakeErasure } from './wake-erasure.ts';

/** Ends the plan of an erasure; the tenant stays as it is. Throws not_found, invalid_transition once it has begun. */
export async function callOffErasure(
  db: Database,
  tx: Queryable,
  { tenantId, operator, now }: { tenantId: string; operator: string; now: Date },
): Promise<{ erasure: TenantErasure; outbox: OutboxEntry[] }> {
  const planned = await lockErasure(db, tx, tenantId);
  requireCallable(planned);
  await tx.query(
    `update tenant_erasures set state = 'CALLED_OFF', called_off_by = $2, called_off_at = $3, wake_at = null where id = $1`,
    [planned.id, operator, now],
  );
  return {
    erasure: await getErasure(db, tenantId, tx),
    outbox: planned.state === 'APPROVED' ? await wakeErasure(tx, planned, now) : [],
  };
}
