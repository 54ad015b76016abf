import {
  beginOf,
  refuseKept,
  requireApprovable,
  type TenantErasure,
} from '../../domain/tenant-erasures/tenant-erasure.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { countKept } from './count-kept.ts';
import { getErasure, lockErasure } from './find-erasure.ts';
import { wakeErasure } from './wake-erasure.ts';

interface ErasureApproval {
  tenantId: string;
  operator: string;
  confirmsOverride: boolean;
  now: Date;
}

/**
 * A second operator approves the erasure of a tenant; its workflow waits for the day. Throws not_found, forbidden,
 * invalid_transition, conflict.
 */
export async function approveErasure(
  db: Database,
  tx: Queryable,
  { tenantId, now, ...approval }: ErasureApproval,
): Promise<{ erasure: TenantErasure; outbox: OutboxEntry[] }> {
  const planned = await lockErasure(db, tx, tenantId);
  requireApprovable(planned, approval);
  const begin = beginOf(planned, now);
  const kept = await countKept(tx, { tenantId, day: begin });
  refuseKept(kept, planned.overrides);
  await tx.query(
    `update tenant_erasures set state = 'APPROVED', approved_by = $2, approved_at = $3, wake_at = $4, under_retention = $5,
       legal_holds = $6
     where id = $1`,
    [planned.id, approval.operator, now, begin, kept.underRetention, kept.legalHolds],
  );
  return {
    erasure: await getErasure(db, tenantId, tx),
    outbox: await wakeErasure(tx, planned, now),
  };
}
