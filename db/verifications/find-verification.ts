import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS, verificationTable, type OpenVerification } from './row.ts';
import type { Queryable } from '../postgres.ts';

/** Reads a tenant's verification; undefined when it does not exist, is deleted or belongs to another tenant. */
export async function findVerification(
  db: Database,
  tenantId: string,
  id: string,
): Promise<OpenVerification | undefined> {
  const { rows } = await db.pool.query<RecordRow>({
    name: 'find-verification',
    text: `select ${READ_COLUMNS} from verifications v
      where v.tenant_id = $1 and v.id = $2 and v.deleted_at is null`,
    values: [tenantId, id],
  });
  return rows[0] && (await openVerificationRow(db, rows[0]));
}

/** Like findVerification, but throws not_found. */
export async function getVerification(db: Database, tenantId: string, id: string): Promise<OpenVerification> {
  const open = await findVerification(db, tenantId, id);
  if (!open) throw notFound('verification');
  return open;
}

/** The tenant of a verification, deleted or not; for workflows and tokens, which know only the id. */
export async function findTenantOfVerification(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ tenant_id: string }>(
    'select tenant_id from verifications where id = $1',
    [id],
  );
  return rows[0]?.tenant_id;
}

/** The tenant of a deleted verification; undefined where there is none, or it is not deleted. */
export async function findDeletedVerificationTenant(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ tenant_id: string }>(
    'select tenant_id from verifications where id = $1 and deleted_at is not null',
    [id],
  );
  return rows[0]?.tenant_id;
}

/** Whether the tenant has the verification and has not deleted it. */
export async function hasVerification(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from verifications where tenant_id = $1 and id = $2 and deleted_at is null',
    [tenantId, id],
  );
  return rows.length > 0;
}

/** Reads a verification, deleted or not, and locks it until the end of the transaction. Undefined once it is erased. */
export async function lockVerification(
  db: Database,
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<OpenVerification | undefined> {
  const { rows } = await tx.query<RecordRow>({
    name: 'lock-verification',
    text: `select ${READ_COLUMNS} from verifications v
      where v.tenant_id = $1 and v.id = $2 and v.erased_at is null for no key update`,
    values: [tenantId, id],
  });
  return rows[0] && (await openVerificationRow(db, rows[0]));
}

/** Decrypts a stored row with the keys of its tenant. */
export async function openVerificationRow(db: Database, row: RecordRow): Promise<OpenVerification> {
  return verificationTable.open(row, await db.vault.tenantKeys(row.tenant_id, [row.record_key]));
}
