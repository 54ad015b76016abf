import type { BrakeActor } from '../../domain/brakes/brake.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';

interface BrakeRelease {
  tenantId: string;
  id: string;
  by: BrakeActor;
  perSecond: number;
  now: Date;
}

/**
 * Ends a brake: from now on nothing is held back by it, and a workflow takes up what it has held back. Throws not_found,
 * forbidden where a tenant would end the brake of an operator, invalid_transition where it has ended.
 */
export async function releaseBrake(
  tx: Queryable,
  { tenantId, id, by, perSecond, now }: BrakeRelease,
): Promise<OutboxEntry[]> {
  const { rows } = await tx.query<{ set_by_kind: BrakeActor['kind']; released_at: Date | null }>(
    'select set_by_kind, released_at from brakes where tenant_id = $1 and id = $2 for update',
    [tenantId, id],
  );
  if (!rows[0]) throw notFound('brake');
  if (rows[0].set_by_kind === 'OPERATOR' && by.kind !== 'OPERATOR')
    throw new DomainError('forbidden', 'The operator of this deployment has set this brake, and ends it.');
  if (rows[0].released_at !== null)
    throw new DomainError('invalid_transition', 'This brake has ended.', { members: { allowed: [] } });
  await tx.query(
    `update brakes set released_at = $3, released_by_kind = $4, released_by = $5, per_second = $6, wake_at = $3
     where tenant_id = $1 and id = $2`,
    [tenantId, id, now, by.kind, by.id, perSecond],
  );
  const summary = 'End of a brake';
  return await insertOutboxEntries(tx, [{ tenantId, workflow: 'brakeRelease', subjectId: id, summary }], now);
}
