import type { ClaimChange } from '../../domain/claims/change.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { mayClaimMove } from '../../domain/claims/state.ts';
import type { Event } from '../../domain/events/event.ts';
import { insertSql, unnestValues } from '../columns.ts';
import type { Database } from '../database.ts';
import { eventColumns } from '../events/event-columns.ts';
import { insertOutboxEntries, type NewOutboxEntry, type OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { sealChange } from '../records/seal-change.ts';
import { recordRows } from '../statistics/record-rows.ts';
import { CLAIMS } from '../statistics/measures.ts';
import { insertClaimWebhooks } from './insert-claim-webhooks.ts';
import { claimTable, type OpenClaim, type SealedClaim } from './row.ts';

/** A change of a locked claim, or a new claim. */
export interface ClaimWrite {
  open: OpenClaim;
  change: ClaimChange;
  isNew: boolean;
}

/** The stored claims, in the order of the writes, and the outbox entries to deliver after the commit. */
export interface WrittenClaims {
  records: ClaimRecord[];
  outbox: OutboxEntry[];
}

interface PreparedWrite {
  write: ClaimWrite;
  sealed: SealedClaim;
  events: Event[];
}

/**
 * Writes claims with their events, webhook snapshots and outbox entries, inside the database transaction that locked them.
 * Throws, with nothing written, for a status that the state table does not allow: a programming error.
 */
export async function writeClaims(
  db: Database,
  tx: Queryable,
  writes: readonly ClaimWrite[],
  now: Date,
): Promise<WrittenClaims> {
  const prepared = await Promise.all(writes.map(async (write) => await prepareWrite(db, write, now)));
  await claimRows.insert(tx, rowsOf(prepared, true));
  await claimRows.update(tx, rowsOf(prepared, false));
  await tx.query({
    name: 'insert-events-of-claims',
    text: INSERT_EVENTS,
    values: unnestValues(
      eventColumns,
      prepared.flatMap(({ events }) => events),
    ),
  });
  const notified = prepared.filter(({ write }) => write.change.notify);
  const webhooks = await insertClaimWebhooks(
    db,
    tx,
    notified.map(({ sealed }) => sealed),
    now,
  );
  const woken = prepared.filter(({ write }) => write.change.wakesWorkflow);
  const entries = await insertOutboxEntries(tx, woken.map(entryOf), now);
  return { records: prepared.map(({ sealed }) => sealed.record), outbox: [...webhooks, ...entries] };
}

const claimRows = recordRows('claims', claimTable, CLAIMS);
const INSERT_EVENTS = insertSql('events', eventColumns);

async function prepareWrite(db: Database, write: ClaimWrite, now: Date): Promise<PreparedWrite> {
  const { open, change, isNew } = write;
  if (!isNew) requireMove(open.record, change.after);
  return { write, ...(await sealChange(db, claimTable, { subjectKind: 'CLAIM', open, change, isNew, now })) };
}

function requireMove(before: ClaimRecord, after: ClaimRecord): void {
  const { id, direction, status } = before;
  if (status === after.status || mayClaimMove(direction, status, after.status)) return;
  throw new Error(`an ${direction} claim must not move from ${status} to ${after.status} (${id})`);
}

function rowsOf(prepared: readonly PreparedWrite[], isNew: boolean): SealedClaim[] {
  return prepared.filter(({ write }) => write.isNew === isNew).map(({ sealed }) => sealed);
}

/** An outbox entry that wakes the workflow of a claim. The summary names the direction and the asset, no person. */
function entryOf({ sealed: { record } }: PreparedWrite): NewOutboxEntry {
  const { id, tenantId, asset, direction } = record;
  const summary = `${direction === 'INCOMING' ? 'Claim of another VASP,' : 'Claim of'} ${asset}`;
  return { tenantId, workflow: 'claimRequest', subjectId: id, summary };
}
