import type { TenantErasure } from '../../domain/tenant-erasures/tenant-erasure.ts';
import { OPERATORS } from '../idempotency/operator-scope.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';

/**
 * Starts the workflow of an erasure, or lets it read the row again. It is one of the operators: what Temporal has of the tenant,
 * its name among it, goes in the end.
 */
export async function wakeErasure(
  tx: Queryable,
  { id }: Pick<TenantErasure, 'id'>,
  now: Date,
): Promise<OutboxEntry[]> {
  const entry = { workflow: 'tenantErasure' as const, subjectId: id, summary: 'Erasure of a tenant' };
  return await insertOutboxEntries(tx, [{ tenantId: OPERATORS, ...entry }], now);
}
