import type pg from 'pg';
import { hashOfBatch } from '../../domain/audit/entry.ts';
import { latest } from '../../domain/durations.ts';
import { columnNames, insertSql, unnestRows, unnestValues, type Column } from '../columns.ts';
import type { Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import type { Vault } from '../vault/vault.ts';

const BATCH = 5_000;

interface BatchPosition {
  epoch: number;
  xid: string;
  position: number;
}

/** The part of an entry that the chain needs. Its MAC represents its content. */
interface PlacedRow extends BatchPosition {
  tenant_id: string;
  mac: Buffer;
}

/** The last batch of a log. */
interface LogHead {
  tenant_id: string;
  number: number;
  hash: Buffer;
  mac: Buffer;
  created_at: Date;
}

interface NewBatch extends BatchPosition {
  tenantId: string;
  number: number;
  entries: number;
  hash: Buffer;
  /** The anchor of the head that this batch becomes. */
  mac: Buffer;
  createdAt: Date;
}

const batchColumns: Column<NewBatch>[] = [
  { name: 'tenant_id', type: 'uuid', value: (batch) => batch.tenantId },
  { name: 'number', type: 'int', value: (batch) => batch.number },
  { name: 'entries', type: 'int', value: (batch) => batch.entries },
  { name: 'epoch', type: 'int', value: (batch) => batch.epoch },
  { name: 'xid', type: 'text', cast: 'xid8', value: (batch) => batch.xid },
  { name: 'position', type: 'bigint', value: (batch) => batch.position },
  { name: 'hash', type: 'bytea', value: (batch) => batch.hash },
  { name: 'created_at', type: 'timestamptz', value: (batch) => batch.createdAt },
];
const headColumns: Column<NewBatch>[] = [
  ...batchColumns.filter(({ name }) => ['tenant_id', 'number', 'hash', 'created_at'].includes(name)),
  { name: 'mac', type: 'bytea', value: (batch) => batch.mac },
];

const NEXT_ENTRIES = `
  with done as (select epoch, xid, position from audit_batches order by epoch desc, xid desc, position desc limit 1)
  select tenant_id, mac, epoch, xid::text, position from audit_entries
  where (epoch, xid, position) >
      (coalesce((select epoch from done), -1), coalesce((select xid from done), '0'), coalesce((select position from done), 0))
    and (epoch, xid) < (present_feed_epoch(), pg_snapshot_xmin(pg_current_snapshot()))
  order by audit_entries.epoch, audit_entries.xid, position limit ${BATCH}`;

const SET_HEADS = `
  insert into audit_heads as h (${columnNames(headColumns)})
  select ${columnNames(headColumns)} from ${unnestRows(headColumns)}
  on conflict (tenant_id) do update
    set number = excluded.number, hash = excluded.hash, mac = excluded.mac, created_at = excluded.created_at`;

/**
 * Chains what was written since the last time, one batch for each log, in one transaction. True when there may be more; false
 * too while another process chains.
 */
export async function chainEntries(db: Database, now: Date): Promise<boolean> {
  return await inTransaction(db.pool, async (tx) => {
    if (!(await isChainingAlone(tx))) return false;
    const { rows } = await tx.query<PlacedRow>(NEXT_ENTRIES);
    if (rows.length === 0) return false;
    const heads = await lastBatches(tx, [...new Set(rows.map(({ tenant_id: id }) => id))]);
    const batches = [...byLog(rows)].map(([tenantId, entries]) =>
      batchOf(db.vault, { tenantId, entries, head: heads.get(tenantId), now }),
    );
    await tx.query(insertSql('audit_batches', batchColumns), unnestValues(batchColumns, batches));
    await tx.query(SET_HEADS, unnestValues(headColumns, batches));
    return rows.length === BATCH;
  });
}

async function isChainingAlone(tx: pg.PoolClient): Promise<boolean> {
  const { rows } = await tx.query<{ alone: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('audit batches', 0)) as alone`,
  );
  return rows[0]?.alone === true;
}

async function lastBatches(tx: Queryable, ids: readonly string[]): Promise<Map<string, LogHead>> {
  const { rows } = await tx.query<LogHead>('select * from audit_heads where tenant_id = any($1::uuid[])', [
    ids,
  ]);
  return new Map(rows.map((row) => [row.tenant_id, row]));
}

function byLog(rows: readonly PlacedRow[]): Map<string, PlacedRow[]> {
  const logs = new Map<string, PlacedRow[]>();
  for (const row of rows) {
    const log = logs.get(row.tenant_id);
    if (log) log.push(row);
    else logs.set(row.tenant_id, [row]);
  }
  return logs;
}

interface BatchInput {
  tenantId: string;
  entries: readonly PlacedRow[];
  head: LogHead | undefined;
  now: Date;
}

function batchOf(vault: Vault, { tenantId, entries, head, now }: BatchInput): NewBatch {
  const last = entries.at(-1);
  if (!last) throw new Error('a batch has entries');
  const number = (head?.number ?? 0) + 1;
  // Time never runs backwards in a log, so that the batches of a day follow each other.
  const createdAt = head ? latest(now, head.created_at) : now;
  const chained = { tenantId, number, createdAt, previousHash: head?.hash ?? null };
  const hash = hashOfBatch(
    chained,
    entries.map(({ mac }) => mac),
  );
  const { epoch, xid, position } = last;
  const batch = { tenantId, number, createdAt, hash, epoch, xid, position, entries: entries.length };
  // A head that other hands have changed keeps its wrong anchor, so that no later batch covers it up.
  const isWhole = !head || isAnchored(vault, head);
  return { ...batch, mac: isWhole ? vault.heads.macOf(anchorOf(tenantId, number, hash)) : head.mac };
}

/** Whether a head is the one that was written last. */
export function isAnchored({ heads }: Pick<Vault, 'heads'>, head: Omit<LogHead, 'created_at'>): boolean {
  return heads.isMacOf(anchorOf(head.tenant_id, head.number, head.hash), head.mac);
}

function anchorOf(tenantId: string, number: number, head: Buffer) {
  return { subjectKind: 'AUDIT_LOG', subjectId: tenantId, tenantId, sequence: number, head };
}
