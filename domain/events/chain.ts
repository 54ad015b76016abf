import { canonicalJson } from '../canonical-json.ts';
import { sha256 } from '../sha256.ts';
import type { Event, EventDraft, SubjectKind } from './event.ts';

interface EventPosition {
  /** TRANSACTION by default. */
  subjectKind?: SubjectKind;
  subjectId: string;
  tenantId: string;
  version: number;
  sequence: number;
  previousHash: Buffer | null;
  id: string;
  createdAt: Date;
}

/** Creates the event at this position of a record's hash chain. */
export function chainEvent(draft: EventDraft, position: EventPosition): Event {
  const entry = {
    ...position,
    subjectKind: position.subjectKind ?? ('TRANSACTION' as const),
    type: draft.type,
    actor: draft.actor.kind,
    userId: draft.actor.kind === 'USER' ? draft.actor.id : null,
    apiKeyId: draft.actor.kind === 'API_KEY' ? draft.actor.id : null,
    previousStatus: draft.previousStatus ?? null,
    newStatus: draft.newStatus ?? null,
    message: draft.message,
    data: draft.data ?? {},
    basis: draft.basis ?? null,
    payloadHash: draft.payloadHash ?? null,
  };
  return { ...entry, hash: hashEvent(entry) };
}

/** A record with the last sequence number and hash of its chain. */
interface ChainedRecord {
  subjectKind: SubjectKind;
  subjectId: string;
  tenantId: string;
  sequence: number;
  head: Buffer;
}

interface ChainInput {
  subject: ChainedRecord;
  version: number;
  createdAt: Date;
  newId: () => string;
}

/** The events of one change, chained to each other and to the head of the record. */
export function chainEvents(drafts: readonly EventDraft[], { subject, newId, ...rest }: ChainInput): Event[] {
  const { head, sequence, ...ids } = subject;
  let previousHash = sequence > 0 ? head : null;
  return drafts.map((draft, index) => {
    const position = { ...ids, ...rest, sequence: sequence + index + 1, previousHash, id: newId() };
    const event = chainEvent(draft, position);
    previousHash = event.hash;
    return event;
  });
}

/** SHA-256 of the canonical JSON of all fields of an event except its own hash. */
function hashEvent(event: Omit<Event, 'hash'>): Buffer {
  const { previousHash, createdAt, ...rest } = event;
  const canonical = canonicalJson({
    ...rest,
    createdAt: createdAt.toISOString(),
    previousHash: previousHash?.toString('hex') ?? null,
  });
  return sha256(canonical);
}

/** The first fault in a complete chain (oldest event first), compared with the record's head; null if it is intact. */
export function chainFault(
  events: readonly Event[],
  record: { sequence: number; head: Buffer },
): string | null {
  let end: ChainEnd = NO_EVENTS;
  for (const event of events) {
    const fault = entryFault(event, end);
    if (fault !== null) return fault;
    end = { sequence: event.sequence, hash: event.hash };
  }
  return endFault(end, record);
}

/** Sequence number and hash of the last event of a chain. */
export interface ChainEnd {
  sequence: number;
  hash: Buffer | null;
}

/** The end of a chain without events. */
export const NO_EVENTS: ChainEnd = { sequence: 0, hash: null };

/** What is wrong with the event that follows `end`; null if it is whole. */
export function entryFault(event: Event, end: ChainEnd): string | null {
  if (event.sequence !== end.sequence + 1) return `entry ${end.sequence + 1} is missing`;
  if (!sameHash(event.previousHash, end.hash))
    return `entry ${event.sequence} does not follow entry ${end.sequence}`;
  const { hash, ...rest } = event;
  const isWhole = isMoment(event.createdAt) && sameHash(hash, hashEvent(rest));
  return isWhole ? null : `entry ${event.sequence} was changed`;
}

/** What is wrong with a log whose head the deployment has not anchored. */
export const NOT_ANCHORED =
  'the head is not the one that was anchored: entries were removed from the end, or written by other hands';

/** What is wrong with the end of a chain, compared with the record's head; null if they fit. */
export function endFault(end: ChainEnd, record: { sequence: number; head: Buffer }): string | null {
  if (record.sequence !== end.sequence)
    return `the last entries are missing: ${end.sequence} of ${record.sequence}`;
  return sameHash(record.head, end.hash) ? null : 'the head does not fit the last entry';
}

/** False for an infinite time, or one beyond what a Date holds: a database can store it, this product never does. */
function isMoment(time: Date): boolean {
  return Number.isFinite(time.valueOf());
}

function sameHash(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
