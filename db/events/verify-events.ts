import { chainFault } from '../../domain/events/chain.ts';
import type { Event } from '../../domain/events/event.ts';
import type { Queryable } from '../postgres.ts';
import { eventColumns, toEvent, type EventRow } from './event-columns.ts';
import { columnNames } from '../columns.ts';

const BATCH = 500;

interface ChainHead {
  id: string;
  sequence: number;
  head: Buffer;
}

export interface ChainReport {
  checked: number;
  faults: { id: string; fault: string }[];
}

/**
 * Verifies the event chains of all transactions and verifications, including deleted ones, or of one: detects entries
 * that were changed, removed, inserted or cut off the end. Reads in batches; `onProgress` gets the number checked so
 * far.
 */
export async function verifyEvents(
  db: Queryable,
  only: string | undefined,
  onProgress: (checked: number) => void = () => undefined,
): Promise<ChainReport> {
  const report: ChainReport = { checked: 0, faults: [] };
  let afterId = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const heads = await readHeads(db, afterId, only);
    if (heads.length === 0) return report;
    const events = await readEvents(db, heads);
    for (const head of heads) {
      const fault = chainFault(events.get(head.id) ?? [], head);
      if (fault) report.faults.push({ id: head.id, fault });
    }
    report.checked += heads.length;
    onProgress(report.checked);
    afterId = heads.at(-1)?.id ?? afterId;
  }
}

async function readHeads(db: Queryable, afterId: string, only: string | undefined): Promise<ChainHead[]> {
  const { rows } = await db.query<ChainHead>(
    `select id, sequence, head from (
       select id, sequence, head from transactions union all select id, sequence, head from verifications
     ) records where id > $1 and ($3::uuid is null or id = $3) order by id limit $2`,
    [afterId, BATCH, only],
  );
  return rows;
}

async function readEvents(db: Queryable, heads: ChainHead[]): Promise<Map<string, Event[]>> {
  const { rows } = await db.query<EventRow>(
    `select ${columnNames(eventColumns)} from events where subject_id = any($1::uuid[]) order by subject_id, sequence`,
    [heads.map((head) => head.id)],
  );
  const byRecord = new Map<string, Event[]>(heads.map((head) => [head.id, []]));
  for (const event of rows.map(toEvent)) byRecord.get(event.subjectId)?.push(event);
  return byRecord;
}
