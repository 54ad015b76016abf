import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import { openRow } from '../transactions/find-transaction.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS } from '../transactions/row.ts';
import type { Queryable } from '../postgres.ts';

/** A version of a list that open transfers have not been compared with yet. */
export interface NewVersion {
  code: string;
  version: number;
}

/** The list versions that open transfers have not been compared with yet. */
export async function findUnscreenedVersions(db: Queryable): Promise<NewVersion[]> {
  const { rows } = await db.query<NewVersion>(
    `select code, version from sanctions_versions where state in ('ACTIVE', 'SUPERSEDED') and rescreened_at is null
     order by code, version`,
  );
  return rows;
}

/** Records that open transfers were compared with a list version. */
export async function markRescreened(db: Queryable, { code, version }: NewVersion, now: Date): Promise<void> {
  await db.query('update sanctions_versions set rescreened_at = $3 where code = $1 and version = $2', [
    code,
    version,
    now,
  ]);
}

/** The entries that a version added or changed and that are still listed. Null when there are more than `limit`. */
export async function readNewEntries(
  db: Queryable,
  { code, version }: NewVersion,
  limit: number,
): Promise<ListEntry[] | null> {
  const { rows } = await db.query<{ entry: ListEntry }>(
    `select entry from sanctions_entries where code = $1 and version_added = $2 and version_removed is null
     order by source_id limit $3`,
    [code, version, limit + 1],
  );
  return rows.length > limit ? null : rows.map(({ entry }) => entry);
}

/** An open transfer and the name by which the directory knows the other VASP; null where that is unknown. */
export interface OpenTransfer {
  record: TransactionRecord;
  vaspName: string | null;
}

/** Open transfers of all tenants with a higher id, ordered by id. A sealed one is screened when it is released. */
export async function readOpenTransfers(
  db: Database,
  afterId: string | null,
  limit: number,
): Promise<OpenTransfer[]> {
  const { rows } = await db.pool.query<RecordRow & { vasp_name: string | null }>(
    `select ${READ_COLUMNS},
       (select m.name from entities e join entities m on m.id = coalesce(e.master_entity_id, e.id)
        where e.id = counterparty_entity_id) as vasp_name
     from transactions
     where status in ('PENDING', 'DELIVERED') and not sealed and deleted_at is null and ($1::uuid is null or id > $1)
     order by id limit $2`,
    [afterId, limit],
  );
  const transfers: OpenTransfer[] = [];
  for (const row of rows)
    transfers.push({ record: (await openRow(db, row)).record, vaspName: row.vasp_name });
  return transfers;
}
