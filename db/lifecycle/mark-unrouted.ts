import { foldName } from '../../domain/fold.ts';
import { markUnrouted, nextRouting } from '../../domain/transactions/lifecycle/routing-outcomes.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { type Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { changeInTransaction } from '../transactions/change-transaction.ts';
import { putOff } from '../transactions/put-off.ts';
import { resolveRoute } from './resolve-counterparty.ts';
import type { RoutedCounterparty } from '../../domain/transactions/lifecycle/route.ts';
import { keepNames } from '../routes/name-lock.ts';
import { destinationRoute, lockRoutes, vaspRoute } from '../routes/route-lock.ts';
import { inTransaction } from '../postgres.ts';

interface UnroutedMessage {
  /** Set if the counterparty has just appeared: nothing was written then. */
  counterparty: RoutedCounterparty | null;
  outbox: OutboxEntry[];
}

/**
 * Marks a message as waiting for its counterparty, unless that has just appeared. NAMES_CHANGE while an import of the
 * directory may be about to add the named VASP: nothing was written, and the message has to be routed again when the
 * import has ended. So every message that is marked is seen by whoever registers its counterparty afterwards.
 */
export async function markUnroutedOrFind(
  db: Database,
  record: TransactionRecord,
  now: Date,
): Promise<UnroutedMessage | 'NAMES_CHANGE'> {
  const name = record.personal.vaspInfo.beneficiaryVaspName;
  const routes = [destinationRoute(record.destinationNormal), ...(name ? [vaspRoute(foldName(name))] : [])];
  return await inTransaction(db.pool, async (tx) => {
    // An import takes seconds, in which neither this nor the database connection has to wait.
    if (name && !(await keepNames(tx))) return 'NAMES_CHANGE';
    await lockRoutes(tx, routes);
    const { counterparty, ...reason } = await resolveRoute(tx, record, db);
    if (counterparty) return { counterparty, outbox: [] };
    const changed = await changeInTransaction(db, tx, {
      tenantId: record.tenantId,
      id: record.id,
      now,
      decide: (own) => markUnrouted(own, now, reason),
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
