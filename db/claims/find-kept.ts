import { keptFrom } from '../../domain/record-retention/kept-until.ts';
import type { KeptCursor, KeptRecord } from '../../domain/record-retention/kept-record.ts';
import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { Queryable } from '../postgres.ts';

interface KeptRow {
  id: string;
  tenant_id: string;
  created_at: Date;
  ended_at: Date;
  held: boolean;
  settings: StoredSettings;
}

// A claim belongs to the evidence of the transfer that it completes or that answers it. The row itself does not know since when
// it has its status; its log does.
const KEPT = `
  select c.id, c.tenant_id, c.created_at, n.settings,
    coalesce(
      (select max(e.created_at) from events e where e.subject_id = c.id and e.tenant_id = c.tenant_id
         and e.new_status = c.status and e.new_status is distinct from e.previous_status), c.updated_at) as ended_at,
    c.status in ('PENDING', 'DELIVERED') or exists (
      select from transactions t where t.tenant_id = c.tenant_id and t.id = c.transaction_id and t.erased_at is null
    ) as held
  from (
    select * from claims where erased_at is null and created_at <= $1 and (created_at, id) > ($2, $3)
    order by created_at, id limit $4
  ) c join tenants n on n.id = c.tenant_id order by c.created_at, c.id`;

/** The next claims of all tenants, oldest first, that were made before `madeBefore`, with the end of their retention. */
export async function findKeptClaims(
  db: Queryable,
  { madeBefore, after, limit }: { madeBefore: Date; after: KeptCursor; limit: number },
): Promise<KeptRecord[]> {
  const { rows } = await db.query<KeptRow>(KEPT, [madeBefore, after.createdAt, after.id, limit]);
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    createdAt: row.created_at,
    isDeleted: false,
    isHeld: row.held,
    keptUntil: keptFrom(row.ended_at, settingsOf(row.settings).retentionDays),
  }));
}
