import { mayBegin, type ErasureState } from '../../domain/tenant-erasures/tenant-erasure.ts';
import type { Database } from '../database.ts';
import { neutraliseEntity } from '../entities/neutralise-entity.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { hideTenant } from '../tenants/hide-tenant.ts';
import { countKept } from './count-kept.ts';

/** What the workflow of an erasure does next. */
export interface ErasureStep {
  next: 'WAIT' | 'ERASE' | 'OVER';
  /** When it reads the row again; null unless it waits. */
  until: Date | null;
  outbox: OutboxEntry[];
}

interface LockedErasure {
  id: string;
  tenant_id: string;
  state: ErasureState;
  overrides: boolean;
  approved_at: Date | null;
  wake_at: Date | null;
}

const OVER: ErasureStep = { next: 'OVER', until: null, outbox: [] };
const ERASE: ErasureStep = { next: 'ERASE', until: null, outbox: [] };

/**
 * Begins an approved erasure once its day has come: the tenant is gone for everybody with the commit. Where records have to be kept
 * that nobody has overridden, the erasure is REFUSED and the tenant stays as it is. One that has begun goes on.
 */
export async function beginErasure(db: Database, id: string, now: Date): Promise<ErasureStep> {
  return await inTransaction(db.pool, async (tx) => {
    const { rows } = await tx.query<LockedErasure>(
      'select id, tenant_id, state, overrides, approved_at, wake_at from tenant_erasures where id = $1 for update',
      [id],
    );
    const [erasure] = rows;
    if (erasure?.state === 'RUNNING') return ERASE;
    if (erasure?.state !== 'APPROVED') return OVER;
    const until = erasure.wake_at ?? now;
    if (until > now) return { next: 'WAIT', until, outbox: [] };
    return await begin(tx, erasure, now);
  });
}

async function begin(
  tx: Queryable,
  { id, tenant_id: tenantId, overrides, approved_at: holdsAfter }: LockedErasure,
  now: Date,
): Promise<ErasureStep> {
  // No legal hold is set between the count and the end of the transaction: setting one takes a lock that this one excludes. Rows that refer
  // to the tenant are still written: those who write them share statements with others, who would wait for the count.
  const { rows } = await tx.query<{ entity_id: string }>(
    'select entity_id from tenants where id = $1 and erased_at is null for no key update',
    [tenantId],
  );
  const kept = await countKept(tx, { tenantId, day: now, holdsAfter });
  const begins = mayBegin({ overrides }, kept);
  await tx.query(
    `update tenant_erasures set state = $2, started_at = case when $2 = 'RUNNING' then $3::timestamptz end, under_retention = $4,
       legal_holds = $5, wake_at = case when $2 = 'RUNNING' then $3::timestamptz end
     where id = $1`,
    [id, begins ? 'RUNNING' : 'REFUSED', now, kept.underRetention, kept.legalHolds],
  );
  if (!begins) return OVER;
  const [hidden] = rows;
  if (!hidden) return ERASE;
  // First, since it may wait for an import: once the tenant is hidden nobody can refer to it until the end of the transaction.
  const outbox = await neutraliseEntity(tx, hidden.entity_id, now);
  await hideTenant(tx, tenantId, now);
  return { ...ERASE, outbox };
}
