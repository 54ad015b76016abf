import { foldName } from '../../domain/fold.ts';
import { markUnrouted, nextRouting } from '../../domain/transactions/lifecycle/routing-outcomes.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { type Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { changeInTransaction } from '../transactions/change-transaction.ts';
import { putOff } from '../transactions/put-off.ts';
import { resolveRoute, type RoutedCounterparty } from './resolve-counterparty.ts';
import { destinationRoute, lockRoutes, vaspRoute } from '../routes/route-lock.ts';
import { inTransaction } from '../postgres.ts';

/**
 * Marks a message as waiting for its counterparty. If the counterparty has just appeared, it is returned instead and
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
    const changed = await changeInTransaction(db, tx, {
      tenantId: record.tenantId,
      id: record.id,
      now,
      decide: (own) => markUnrouted(own, now, entityId),
    });
    if (changed && isDueForRouting(changed.record, now)) {
      await putOff(tx, changed.record, { wakeAt: nextRouting(changed.record, now), screenAgain: true });
    }
    return { counterparty: null, outbox: changed?.outbox ?? [] };
  });
}

/** True when routing failed once more: nothing was written, and the next routing time is still in the past. */
function isDueForRouting(record: TransactionRecord, now: Date): boolean {
  const { routingFault, wakeAt, screeningState } = record;
  return routingFault === 'VASP_NOT_FOUND' && screeningState !== 'DUE' && wakeAt !== null && wakeAt <= now;
}
