import type { ClaimChange } from '../../domain/claims/change.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { mayClaimMove } from '../../domain/claims/state.ts';
import type { Event } from '../../domain/events/event.ts';
import { arrayParameter, insertSql, unnestRows, unnestValues } from '../columns.ts';
import type { Database } from '../database.ts';
import { eventColumns } from '../events/event-columns.ts';
import { insertOutboxEntries, type NewOutboxEntry, type OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { deltasSql, insertCounted } from '../statistics/deltas.ts';
import { CLAIMS, countedColumns } from '../statistics/measures.ts';
import { chainChange } from '../records/chain-changes.ts';
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
  await insertRows(tx, rowsOf(prepared, true));
  await updateRows(tx, rowsOf(prepared, false));
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

const INSERT_EVENTS = insertSql('events', eventColumns);

async function prepareWrite(db: Database, write: ClaimWrite, now: Date): Promise<PreparedWrite> {
  const { open, change, isNew } = write;
  const before = open.record;
  if (!isNew) requireMove(before, change.after);
  const { record, events } = chainChange<ClaimRecord>({
    vault: db.vault,
    subjectKind: 'CLAIM',
    before,
    after: change.after,
    drafts: change.events,
    isNew,
    now,
  });
  const keys = await db.vault.tenantKeys(before.tenantId);
  const sealed = isNew
    ? claimTable.seal({ ...open, record }, keys)
    : claimTable.reseal({ ...open, record }, before, keys);
  return { write, sealed, events };
}

function requireMove(before: ClaimRecord, after: ClaimRecord): void {
  const { id, direction, status } = before;
  if (status === after.status || mayClaimMove(direction, status, after.status)) return;
  throw new Error(`an ${direction} claim must not move from ${status} to ${after.status} (${id})`);
}

function rowsOf(prepared: readonly PreparedWrite[], isNew: boolean): SealedClaim[] {
  return prepared.filter(({ write }) => write.isNew === isNew).map(({ sealed }) => sealed);
}

const INSERT = insertCounted(CLAIMS, insertSql('claims', claimTable.columns));

async function insertRows(tx: Queryable, rows: readonly SealedClaim[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({ name: 'insert-claims', text: INSERT, values: unnestValues(claimTable.columns, rows) });
}

const { updateColumns } = claimTable;

const UPDATE = `
  with before as materialized (
    select ${countedColumns(CLAIMS)} from claims
    where id = any(${arrayParameter(updateColumns, 'id')}) and tenant_id = any(${arrayParameter(updateColumns, 'tenant_id')})
  ), written as (
    update claims t set ${claimTable.setList} from ${unnestRows(updateColumns)}
    where t.id = r.id and t.tenant_id = r.tenant_id and t.version = r.version - 1
    returning ${countedColumns(CLAIMS, 't')}
  ), counted as (${deltasSql(CLAIMS, { added: 'written', removed: 'before' })})
  select count(*)::int as count from written`;

/** Compares and sets the version: a claim that was changed without its lock makes this fail instead of being overwritten. */
async function updateRows(tx: Queryable, rows: readonly SealedClaim[]): Promise<void> {
  if (rows.length === 0) return;
  const values = unnestValues(updateColumns, rows);
  const { rows: written } = await tx.query<{ count: number }>({
    name: 'update-claims',
    text: UPDATE,
    values,
  });
  if (written[0]?.count !== rows.length) throw new Error('a claim was changed without its lock');
}

/** An outbox entry that wakes the workflow of a claim. The summary names the direction and the asset, no person. */
function entryOf({ sealed: { record } }: PreparedWrite): NewOutboxEntry {
  const { id, tenantId, asset, direction } = record;
  const summary = `${direction === 'INCOMING' ? 'Claim of another VASP,' : 'Claim of'} ${asset}`;
  return { tenantId, workflow: 'claimRequest', subjectId: id, summary };
}
