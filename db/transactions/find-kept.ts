import type { KeptCursor, KeptRecord } from '../../domain/record-retention/kept-record.ts';
import { keptUntil } from '../../domain/record-retention/kept-until.ts';
import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { Status } from '../../domain/transactions/state.ts';
import type { Queryable } from '../postgres.ts';

interface KeptRow {
  id: string;
  tenant_id: string;
  status: Status;
  created_at: Date;
  updated_at: Date;
  status_since: Date | null;
  deleted: boolean;
  held: boolean;
  settings: StoredSettings;
}

// The row itself does not know since when it has its status; its log does.
const KEPT = `
  select t.id, t.tenant_id, t.status, t.created_at, t.updated_at, t.deleted_at is not null as deleted,
    t.legal_hold_at is not null as held, n.settings,
    (select max(e.created_at) from events e where e.subject_id = t.id and e.tenant_id = t.tenant_id
       and e.new_status = t.status and e.new_status is distinct from e.previous_status) as status_since
  from (
    select * from transactions where erased_at is null and created_at <= $1 and (created_at, id) > ($2, $3)
    order by created_at, id limit $4
  ) t join tenants n on n.id = t.tenant_id order by t.created_at, t.id`;

/** The next records of all tenants, oldest first, that were made before `madeBefore`, with the end of their retention. */
export async function findKeptTransactions(
  db: Queryable,
  { madeBefore, after, limit }: { madeBefore: Date; after: KeptCursor; limit: number },
): Promise<KeptRecord[]> {
  const { rows } = await db.query<KeptRow>(KEPT, [madeBefore, after.createdAt, after.id, limit]);
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    createdAt: row.created_at,
    isDeleted: row.deleted,
    isHeld: row.held,
    keptUntil: keptUntil(
      { status: row.status, statusSince: row.status_since ?? row.created_at, updatedAt: row.updated_at },
      settingsOf(row.settings).retentionDays,
    ),
  }));
}
