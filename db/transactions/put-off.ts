import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Queryable } from '../postgres.ts';

/**
 * Lets a locked transaction be looked at again at `wakeAt`. That it was looked at in vain is no news: there is no event,
 * no new version and no webhook. With `screenAgain` it is screened before it goes on then, unless a reviewer let it pass.
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
