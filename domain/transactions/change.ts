import type { EventDraft } from '../events/event.ts';
import type { SentData } from './sent-data.ts';
import type { TransactionRecord } from './record.ts';

/** The new state of a record, its events and whom to notify. Version and event chain are set when it is written. */
export interface RecordChange {
  after: TransactionRecord;
  events: EventDraft[];
  /** Send the tenant a webhook with the new state. */
  notify: boolean;
  /** Wake the lifecycle workflow, so that it reads the record again. */
  wakesWorkflow: boolean;
}

/** Two changes of one record as one: one version, one webhook. */
export function followedBy(first: RecordChange, second: RecordChange | null): RecordChange {
  if (!second) return first;
  return {
    after: second.after,
    events: [...first.events, ...second.events],
    notify: first.notify || second.notify,
    wakesWorkflow: first.wakesWorkflow || second.wakesWorkflow,
  };
}

/** Both sides of a native exchange change together or not at all. */
export interface PairChange {
  own: RecordChange | null;
  counterpart: RecordChange | null;
  /** The personal data sent to the other VASP with this change: both sides keep it as evidence. */
  forwarded: SentData | null;
}

export const NO_CHANGE: PairChange = { own: null, counterpart: null, forwarded: null };
