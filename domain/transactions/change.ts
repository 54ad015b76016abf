import type { EventDraft } from '../events/event.ts';
import type { SentData } from './sent-data.ts';
import type { TransactionRecord } from './record.ts';

/** A record as it is to be after a change, with what must be told. Version and event chain are set when written. */
export interface RecordChange {
  after: TransactionRecord;
  events: EventDraft[];
  /** Send the tenant a webhook with the new state. */
  notify: boolean;
  /** Let the lifecycle workflow look at the record again. */
  wakesWorkflow: boolean;
}

/** Both sides of a native exchange change together or not at all. */
export interface PairChange {
  own: RecordChange | null;
  counterpart: RecordChange | null;
  /** The data that crosses to the other VASP with this change: both sides keep it as evidence. */
  forwarded: SentData | null;
}

export const NO_CHANGE: PairChange = { own: null, counterpart: null, forwarded: null };
