import { foldName } from '../../domain/fold.ts';
import { markUnrouted, nextRouting } from '../../domain/transactions/lifecycle-changes.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { type Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { changeInTransaction } from '../transactions/change-transaction.ts';
import { resolveRoute, type RoutedCounterparty } from './resolve-counterparty.ts';
import { destinationRoute, lockRoutes, vaspRoute } from '../routes/route-lock.ts';
import { inTransaction } from '../postgres.ts';

/**
 * Lets a message wait for its counterparty to appear, unless one did in this very moment: then that one is returned and
 * nothing is written.
 */
export async function markUnroutedOrFind(
  db: Database,
  record: TransactionRecord,
  now: Date,
): Promise<{ counterparty: RoutedCounterparty | null; outbox: OutboxEntry[] }> {
  const name = record.personal.vaspInfo.beneficiaryVaspName;
  const routes = [destinationRoute(record.destinationNormal), ...(name ? [vaspRoute(foldName(name))] : [])];
  return await inTransaction(db.pool, async (tx) => {
    await lockRoutes(tx, routes);
    const { counterparty, entityId } = await resolveRoute(tx, record);
    if (counterparty) return { counterparty, outbox: [] };
    const place = { tenantId: record.tenantId, id: record.id, now };
    const changed = await changeInTransaction(db, tx, {
      ...place,
      decide: (own) => markUnrouted(own, now, entityId),
    });
    if (changed?.record.subStatus === 'VASP_NOT_FOUND') {
      await tx.query(
        `update transactions set wake_at = $3,
           screening_due_since = case when screening_state = 'CLEARED' then $3 else screening_due_since end,
           screening_state = case when screening_state = 'CLEARED' then 'DUE' else screening_state end
         where tenant_id = $1 and id = $2 and sub_status = 'VASP_NOT_FOUND' and wake_at <= $4
           and screening_state is distinct from 'DUE'`,
        [record.tenantId, record.id, nextRouting(changed.record, now), now],
      );
    }
    return { counterparty: null, outbox: changed?.outbox ?? [] };
  });
}
