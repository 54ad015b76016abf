import { latest } from '../../domain/durations.ts';
import { chainEvents } from '../../domain/events/chain.ts';
import type { Event, EventDraft, SubjectKind } from '../../domain/events/event.ts';
import { newId } from '../new-id.ts';

/** The common properties of records with a version and an event chain. */
export interface ChainedRecord {
  id: string;
  tenantId: string;
  version: number;
  sequence: number;
  head: Buffer;
  updatedAt: Date;
}

interface ChainInput<R> {
  subjectKind: SubjectKind;
  before: R;
  after: R;
  drafts: readonly EventDraft[];
  /** A new record keeps its version, a changed one gets the next. */
  isNew: boolean;
  now: Date;
  /** Hash of the data that this change forwards to the other VASP; stored in the first event. */
  payloadHash?: string | null;
  /** Events of an earlier change that were not written with it, and the time of that change. */
  owed?: { drafts: readonly EventDraft[]; at: Date };
}

/** A changed record with its next version and chain head, and its new events. */
interface ChainedChange<R> {
  record: R;
  events: Event[];
}

/** Appends the events of one change to the chain of the record. Time never runs backwards in a record. */
export function chainChange<R extends ChainedRecord>(input: ChainInput<R>): ChainedChange<R> {
  const { subjectKind, before, after, drafts, isNew, now, payloadHash = null, owed } = input;
  const version = isNew ? before.version : before.version + 1;
  const subject = { subjectKind, subjectId: before.id, tenantId: before.tenantId };
  // `now` was read before waiting for the lock.
  const createdAt = latest(now, before.updatedAt);
  const chain = ({ sequence, head }: ChainEnd, next: readonly EventDraft[], at: Date) =>
    chainEvents(next, {
      subject: { ...subject, sequence, head },
      version,
      createdAt: at,
      newId: () => newId(at),
    });
  const late = owed ? chain(before, owed.drafts, owed.at) : [];
  const [first, ...rest] = drafts;
  const forwarding = first ? [{ ...first, payloadHash }, ...rest] : [];
  const events = [...late, ...chain(endOf(late) ?? before, forwarding, createdAt)];
  const end = endOf(events) ?? before;
  const record = {
    ...after,
    updatedAt: latest(after.updatedAt, before.updatedAt),
    version,
    sequence: end.sequence,
    head: end.head,
  };
  return { record, events };
}

/** Sequence number and hash of the last event of a chain. */
interface ChainEnd {
  sequence: number;
  head: Buffer;
}

function endOf(events: readonly Event[]): ChainEnd | undefined {
  const last = events.at(-1);
  return last && { sequence: last.sequence, head: last.hash };
}
