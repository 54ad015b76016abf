import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { PairChange, RecordChange } from '../change.ts';
import type { TransactionRecord } from '../record.ts';
import type { Status } from '../state.ts';
import { subStatusOf } from '../sub-status.ts';

/**
 * A change of one record alone, caused by time or by routing. Only a new status or subStatus is notified by webhook, not
 * a further delivery attempt or a fiat value.
 */
export function ownChange(
  record: TransactionRecord,
  changes: Partial<TransactionRecord>,
  event: EventDraft,
): PairChange {
  const after = { ...record, ...changes };
  const moves = after.status !== record.status || subStatusOf(after) !== subStatusOf(record);
  const change: RecordChange = {
    after,
    events: [event],
    notify: moves && record.direction === 'OUTGOING',
    wakesWorkflow: false,
  };
  return { own: change, counterpart: null, forwarded: null };
}

/** Actor, previous and new status of a system event. */
export function moved(
  record: TransactionRecord,
  status: Status,
): Pick<EventDraft, 'actor' | 'previousStatus' | 'newStatus'> {
  return { actor: SYSTEM, previousStatus: record.status, newStatus: status };
}

export function isPendingOutgoing(record: TransactionRecord): boolean {
  return record.direction === 'OUTGOING' && record.status === 'PENDING';
}
