import { dayAfter, startOf } from '../../domain/seals/days.ts';
import { OPERATORS } from '../idempotency/operator-scope.ts';
import type { Queryable } from '../postgres.ts';

/** The hashes of the last batches of audit logs at the end of a day, in hex. */
export interface DayAuditHeads {
  /** Hashes by tenant id; a tenant whose log had no batch yet is missing. */
  byTenant: ReadonlyMap<string, string>;
  /** Hash of the deployment's log; null if it had no batch yet. */
  operators: string | null;
}

/**
 * Reads the ends of the audit logs of these tenants, and of the deployment, as they were at the end of a UTC day. A batch whose hash
 * somebody has removed fits no seal.
 */
export async function readDayAuditHeads(
  tx: Queryable,
  day: string,
  tenantIds: readonly string[],
): Promise<DayAuditHeads> {
  const { rows } = await tx.query<{ id: string; hash: Buffer }>(
    `select logs.id, coalesce(last.hash, '') as hash from unnest($1::uuid[]) as logs(id)
     cross join lateral (
       select hash from audit_batches where tenant_id = logs.id and created_at < $2
       order by created_at desc, number desc limit 1
     ) last`,
    [[...tenantIds, OPERATORS], startOf(dayAfter(day))],
  );
  const byTenant = new Map(rows.map(({ id, hash }) => [id, hash.toString('hex')]));
  return { byTenant, operators: byTenant.get(OPERATORS) ?? null };
}
