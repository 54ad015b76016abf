import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { Queryable } from '../postgres.ts';

/** Stores when the workflow of a locked claim reads it again; nothing else of it changes. Returns it as it is now. */
export async function putOffClaim(tx: Queryable, claim: ClaimRecord, wakeAt: Date): Promise<ClaimRecord> {
  const { tenantId, id } = claim;
  await tx.query('update claims set wake_at = $3 where tenant_id = $1 and id = $2', [tenantId, id, wakeAt]);
  return { ...claim, wakeAt };
}
