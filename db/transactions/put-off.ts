import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Queryable } from '../postgres.ts';

/**
 * Postpones a locked transaction to `wakeAt`. This is not a change of the record: no event, no new version, no
 * webhook. With `screenAgain` it is screened again then, unless a reviewer released it.
 */
export async function putOff(
  tx: Queryable,
  record: TransactionRecord,
  { wakeAt, screenAgain }: { wakeAt: Date | null; screenAgain: boolean },
): Promise<TransactionRecord> {
  const isCleared = screenAgain && record.screeningState === 'CLEARED';
  const after: TransactionRecord = {
    ...record,
    wakeAt,
    ...(isCleared && { screeningState: 'DUE', screeningDueSince: wakeAt }),
  };
  await tx.query(
    `update transactions set wake_at = $3, screening_state = $4, screening_due_since = $5
     where tenant_id = $1 and id = $2`,
    [record.tenantId, record.id, after.wakeAt, after.screeningState, after.screeningDueSince],
  );
  return after;
}
