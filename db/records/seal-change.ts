import type { Event, EventDraft, SubjectKind } from '../../domain/events/event.ts';
import type { Database } from '../database.ts';
import { chainChange, type ChainedRecord } from './chain-changes.ts';
import type { OpenRecord, RecordTable, SealedRecord } from './record-table.ts';

interface ChangeToSeal<R> {
  subjectKind: SubjectKind;
  open: OpenRecord<R>;
  change: { after: R; events: readonly EventDraft[] };
  isNew: boolean;
  now: Date;
  /** Hash of the data that this change forwards to the other VASP; stored in the first event. */
  payloadHash?: string | null;
}

/** Appends the events of a change to the chain of its record and seals it as it is stored. Loads the tenant's keys, otherwise without I/O. */
export async function sealChange<R extends ChainedRecord, D>(
  db: Database,
  table: RecordTable<R, D>,
  { subjectKind, open, change, isNew, now, payloadHash = null }: ChangeToSeal<R>,
): Promise<{ sealed: SealedRecord<R, D>; events: Event[] }> {
  const { record: before } = open;
  const { record, events } = chainChange<R>({
    vault: db.vault,
    subjectKind,
    before,
    after: change.after,
    drafts: change.events,
    isNew,
    now,
    payloadHash,
  });
  const keys = await db.vault.tenantKeys(before.tenantId);
  const changed = { ...open, record };
  return { sealed: isNew ? table.seal(changed, keys) : table.reseal(changed, before, keys), events };
}
