import type { ErasedKind, KeptRecord } from '../../domain/record-retention/kept-record.ts';
import type { Queryable } from '../postgres.ts';

const UNERASED: Record<ErasedKind, string> = {
  transactions: `select id, deleted_at is not null as deleted from transactions where tenant_id = $1 and erased_at is null limit $2`,
  claims: `select id, false as deleted from claims where tenant_id = $1 and erased_at is null limit $2`,
  verifications: `select id, deleted_at is not null as deleted from verifications where tenant_id = $1 and erased_at is null limit $2`,
};

type ErasableRecord = Pick<KeptRecord, 'tenantId' | 'id' | 'isDeleted'>;

/** The next records of a tenant that are not erased yet. */
export async function findUnerased(
  db: Queryable,
  { tenantId, what, limit }: { tenantId: string; what: ErasedKind; limit: number },
): Promise<ErasableRecord[]> {
  const { rows } = await db.query<{ id: string; deleted: boolean }>(UNERASED[what], [tenantId, limit]);
  return rows.map(({ id, deleted }) => ({ tenantId, id, isDeleted: deleted }));
}

// Gateways stand for VASPs outside that have no account here: nobody reads their copies once the tenant's links are gone. A
// network partner reads its own.
const OF_GATEWAY = `join tenants g on g.id = r.tenant_id and g.gateway in ('EMAIL', 'TRP') where r.erased_at is null`;

const COPIES: Record<ErasedKind, string | null> = {
  transactions: `
    select r.tenant_id, r.id, r.deleted_at is not null as deleted from transactions o join message_pairs p on p.id = o.pair_id
      join transactions r on r.id = case p.outgoing_id when o.id then p.incoming_id else p.outgoing_id end
      ${OF_GATEWAY} and o.tenant_id = $1 and o.id = $2`,
  claims: `
    select r.tenant_id, r.id, false as deleted from claims o join claims r on r.id = o.counterpart_id
      ${OF_GATEWAY} and o.tenant_id = $1 and o.id = $2`,
  verifications: null,
};

/** The copies of a record that gateways hold for a VASP outside: at most one. */
export async function findCopies(
  db: Queryable,
  what: ErasedKind,
  { tenantId, id }: ErasableRecord,
): Promise<ErasableRecord[]> {
  const text = COPIES[what];
  if (text === null) return [];
  const { rows } = await db.query<{ tenant_id: string; id: string; deleted: boolean }>(text, [tenantId, id]);
  return rows.map((row) => ({ tenantId: row.tenant_id, id: row.id, isDeleted: row.deleted }));
}
