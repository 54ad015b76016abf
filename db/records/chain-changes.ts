import { latest } from '../../domain/durations.ts';
import { chainEvents } from '../../domain/events/chain.ts';
import type { Event, EventDraft, SubjectKind } from '../../domain/events/event.ts';
import type { Vault } from '../vault/vault.ts';
import { newId } from '../new-id.ts';
import { isAnchored } from './anchored-head.ts';

/** The common properties of records with a version and an event chain. */
export interface ChainedRecord {
  id: string;
  tenantId: string;
  version: number;
  sequence: number;
  head: Buffer;
  headMac: Buffer | null;
  updatedAt: Date;
}

interface ChainInput<R> {
  vault: Pick<Vault, 'heads'>;
  subjectKind: SubjectKind;
  before: R;
  after: R;
  drafts: readonly EventDraft[];
  /** A new record keeps its version, a changed one gets the next. */
  isNew: boolean;
  now: Date;
  /** Hash of the data that this change forwards to the other VASP; stored in the first event. */
  payloadHash?: string | null;
}

/** A changed record with its next version and chain head, and its new events. */
interface ChainedChange<R> {
  record: R;
  events: Event[];
}

/** Appends the events of one change to the chain of the record. Time never runs backwards in a record. */
export function chainChange<R extends ChainedRecord>(input: ChainInput<R>): ChainedChange<R> {
  const { subjectKind, before, after, drafts, isNew, now, payloadHash = null } = input;
  const version = isNew ? before.version : before.version + 1;
  const subject = { subjectKind, subjectId: before.id, tenantId: before.tenantId };
  // `now` was read before waiting for the lock.
  const createdAt = latest(now, before.updatedAt);
  const [first, ...rest] = drafts;
  const forwarding = first ? [{ ...first, payloadHash }, ...rest] : [];
  const events = chainEvents(forwarding, {
    subject: { ...subject, sequence: before.sequence, head: before.head },
    version,
    createdAt,
    newId: () => newId(createdAt),
  });
  const end = endOf(events) ?? before;
  const ends = { ...subject, sequence: end.sequence, head: end.head };
  const record = {
    ...after,
    updatedAt: latest(after.updatedAt, before.updatedAt),
    version,
    sequence: end.sequence,
    head: end.head,
    headMac: events.length > 0 && isWhole(input) ? input.vault.heads.macOf(ends) : before.headMac,
  };
  return { record, events };
}

/**
 * Whether the head that a change goes on from is the one that was written. One that was changed by other hands keeps its
 * wrong anchor, or none, so that no later change covers it up.
 */
function isWhole({ vault, subjectKind, before, isNew }: ChainInput<ChainedRecord>): boolean {
  return isNew || isAnchored(vault, subjectKind, before);
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
