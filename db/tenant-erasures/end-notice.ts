import { DomainError } from '../../domain/errors.ts';
import type { TenantErasure } from '../../domain/tenant-erasures/tenant-erasure.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { getErasure, lockErasure } from './find-erasure.ts';
import { wakeErasure } from './wake-erasure.ts';

/** Ends the days until an erasure, for the timer of a sandbox. Throws not_found, conflict where nothing waits for them. */
export async function endNotice(
  db: Database,
  tx: Queryable,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<{ erasure: TenantErasure; outbox: OutboxEntry[] }> {
  const planned = await lockErasure(db, tx, tenantId);
  if (planned.state !== 'PLANNED' && planned.state !== 'APPROVED')
    throw new DomainError('conflict', `No day is waited for: this erasure is ${planned.state}.`);
  await tx.query(
    `update tenant_erasures set planned_for = least(planned_for, $2),
       wake_at = case when state = 'APPROVED' then $2::timestamptz end
     where id = $1`,
    [planned.id, now],
  );
  return {
    erasure: await getErasure(db, tenantId, tx),
    outbox: planned.state === 'APPROVED' ? await wakeErasure(tx, planned, now) : [],
  };
}
