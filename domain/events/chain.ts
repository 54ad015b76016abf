import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import type { Event, EventDraft, SubjectKind } from './event.ts';

interface ChainPlace {
  /** A transaction unless said otherwise. */
  subjectKind?: SubjectKind;
  subjectId: string;
  tenantId: string;
  version: number;
  sequence: number;
  previousHash: Buffer | null;
  id: string;
  createdAt: Date;
}

/** Makes the next entry of a record's chain. */
export function chainEvent(draft: EventDraft, place: ChainPlace): Event {
  const entry = {
    ...place,
    subjectKind: place.subjectKind ?? ('TRANSACTION' as const),
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

/** A record with the end of its chain. */
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

/** The entries of one change, each following the one before, the first following the head of the record. */
export function chainEvents(drafts: readonly EventDraft[], { subject, newId, ...rest }: ChainInput): Event[] {
  const { head, sequence, ...of } = subject;
  let previousHash = sequence > 0 ? head : null;
  return drafts.map((draft, index) => {
    const place = { ...of, ...rest, sequence: sequence + index + 1, previousHash, id: newId() };
    const event = chainEvent(draft, place);
    previousHash = event.hash;
    return event;
  });
}

/** SHA-256 over the canonical form of everything in the entry but its own hash. */
function hashEvent(event: Omit<Event, 'hash'>): Buffer {
  const { previousHash, createdAt, ...rest } = event;
  const canonical = canonicalJson({
    ...rest,
    createdAt: createdAt.toISOString(),
    previousHash: previousHash?.toString('hex') ?? null,
  });
  return createHash('sha256').update(canonical).digest();
}

/** What is wrong with a whole chain, oldest entry first, against the head that the record carries; null when sound. */
export function chainFault(
  events: readonly Event[],
  record: { sequence: number; head: Buffer },
): string | null {
  let previous: Buffer | null = null;
  for (const [index, event] of events.entries()) {
    if (event.sequence !== index + 1) return `entry ${index + 1} is missing`;
    if (!sameHash(event.previousHash, previous))
      return `entry ${event.sequence} does not follow entry ${index}`;
    const { hash, ...rest } = event;
    if (!sameHash(hash, hashEvent(rest))) return `entry ${event.sequence} was changed`;
    previous = hash;
  }
  if (record.sequence !== events.length)
    return `the last entries are missing: ${events.length} of ${record.sequence}`;
  return sameHash(record.head, previous) ? null : 'the head does not fit the last entry';
}

function sameHash(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
