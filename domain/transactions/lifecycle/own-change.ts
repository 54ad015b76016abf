import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { PairChange, RecordChange } from '../change.ts';
import type { TransactionRecord } from '../record.ts';
import type { Status } from '../state.ts';

/**
 * A change that time or the search for the counterparty makes of one record alone. Only a change of state is told by
 * webhook: a further delivery attempt or a fiat value is none.
 */
export function ownChange(
  record: TransactionRecord,
  changes: Partial<TransactionRecord>,
  event: EventDraft,
): PairChange {
  const after = { ...record, ...changes };
  const moves = after.status !== record.status || after.subStatus !== record.subStatus;
  const change: RecordChange = {
    after,
    events: [event],
    notify: moves && record.direction === 'OUTGOING',
    wakesWorkflow: false,
  };
  return { own: change, counterpart: null, forwarded: null };
}

/** What an event of the system says about the move that it explains. */
export function moved(
  record: TransactionRecord,
  status: Status,
): Pick<EventDraft, 'actor' | 'previousStatus' | 'newStatus'> {
  return { actor: SYSTEM, previousStatus: record.status, newStatus: status };
}

export function isPendingOutgoing(record: TransactionRecord): boolean {
  return record.direction === 'OUTGOING' && record.status === 'PENDING';
}
