import { keptFrom } from '../../domain/record-retention/kept-until.ts';
import type { KeptCursor, KeptRecord } from '../../domain/record-retention/kept-record.ts';
import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { Queryable } from '../postgres.ts';

interface KeptRow {
  id: string;
  tenant_id: string;
  created_at: Date;
  updated_at: Date;
  deleted: boolean;
  held: boolean;
  settings: StoredSettings;
}

// The proof of a wallet is kept as long as a transfer that may rest on it.
const KEPT = `
  select v.id, v.tenant_id, v.created_at, v.updated_at, v.deleted_at is not null as deleted, n.settings,
    exists (
      select from transactions t where t.tenant_id = v.tenant_id and t.erased_at is null
        and t.destination_type = 'NON_CUSTODIAL' and t.destination_normal = v.address_normal
    ) or exists (
      select from transactions t where t.tenant_id = v.tenant_id and t.erased_at is null
        and t.origin_type = 'NON_CUSTODIAL' and t.origin_normal = v.address_normal
    ) as held
  from (
    select * from verifications where erased_at is null and created_at <= $1 and (created_at, id) > ($2, $3)
    order by created_at, id limit $4
  ) v join tenants n on n.id = v.tenant_id order by v.created_at, v.id`;

/** The next verifications of all tenants, oldest first, that were made before `madeBefore`, with the end of their retention. */
export async function findKeptVerifications(
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
    keptUntil: keptFrom(row.updated_at, settingsOf(row.settings).retentionDays),
  }));
}
