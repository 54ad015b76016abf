import type { ClaimRecord } from '../../domain/claims/record.ts';
import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import type { RecordRow } from '../records/record-table.ts';
import { claimTable, READ_COLUMNS, type OpenClaim } from './row.ts';

/** Reads a tenant's claim. Throws not_found when it does not exist, is erased or belongs to another tenant. */
export async function getClaim(db: Database, tenantId: string, id: string): Promise<ClaimRecord> {
  const open = await findClaimWithKey(db, tenantId, id);
  if (!open) throw notFound('claim');
  return open.record;
}

/** Reads a tenant's claim with its key; undefined when there is none. */
export async function findClaimWithKey(
  db: Database,
  tenantId: string,
  id: string,
): Promise<OpenClaim | undefined> {
  const { rows } = await db.pool.query<RecordRow>({
    name: 'find-claim',
    text: `select ${READ_COLUMNS} from claims c where c.tenant_id = $1 and c.id = $2 and c.erased_at is null`,
    values: [tenantId, id],
  });
  return rows[0] && (await openClaimRow(db, rows[0]));
}

/** Reads a claim by its id alone, for its workflow; undefined when there is none. */
export async function findClaimOfWorkflow(db: Database, id: string): Promise<ClaimRecord | undefined> {
  const { rows } = await db.pool.query<RecordRow>({
    name: 'find-claim-of-workflow',
    text: `select ${READ_COLUMNS} from claims c where c.id = $1 and c.erased_at is null`,
    values: [id],
  });
  return rows[0] && (await openClaimRow(db, rows[0])).record;
}

/** Whether the tenant has the claim. */
export async function hasClaim(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from claims where tenant_id = $1 and id = $2 and erased_at is null',
    [tenantId, id],
  );
  return rows.length > 0;
}

/** Both sides of a claim, locked until the end of the transaction. */
export interface LockedClaim {
  own: OpenClaim;
  /** Null where the other side is no tenant of this deployment, was not reached yet, or has erased its record. */
  counterpart: OpenClaim | null;
}

/**
 * Reads both sides of a claim and locks them, in the order of their ids, so that no two changes wait for each other. A change
 * that also locks transactions locks the transactions before the claim. Throws not_found.
 */
export async function lockClaim(
  db: Database,
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<LockedClaim> {
  const { rows } = await tx.query<RecordRow>({
    name: 'lock-claim',
    text: `select ${READ_COLUMNS} from claims c
      where c.erased_at is null and ((c.tenant_id = $1 and c.id = $2)
        or c.id = (select counterpart_id from claims where tenant_id = $1 and id = $2))
      order by c.id for no key update`,
    values: [tenantId, id],
  });
  const row = rows.find((each) => each.id === id);
  if (!row) throw notFound('claim');
  const own = await openClaimRow(db, row);
  const { counterpartId } = own.record;
  if (counterpartId === null) return { own, counterpart: null };
  const other = rows.find((each) => each.id === counterpartId) ?? (await lockCounterpart(tx, counterpartId));
  return { own, counterpart: other ? await openClaimRow(db, other) : null };
}

/** A claim that was delivered while its lock was waited for: the record of the other side is the younger one. */
async function lockCounterpart(tx: Queryable, id: string): Promise<RecordRow | undefined> {
  const { rows } = await tx.query<RecordRow>({
    name: 'lock-counterpart-of-claim',
    text: `select ${READ_COLUMNS} from claims c where c.id = $1 and c.erased_at is null for no key update`,
    values: [id],
  });
  return rows[0];
}

/** Decrypts a stored row with the keys of its tenant. */
export async function openClaimRow(db: Database, row: RecordRow): Promise<OpenClaim> {
  return claimTable.open(row, await db.vault.tenantKeys(row.tenant_id, [row.record_key]));
}
