import { DomainError, notFound } from '../../domain/errors.ts';
import type { TenantErasure } from '../../domain/tenant-erasures/tenant-erasure.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { ERASURE_COLUMNS, toErasures, type ErasureRow } from './erasure-row.ts';

const LATEST = `select ${ERASURE_COLUMNS} from tenant_erasures where tenant_id = $1 order by planned_at desc, id desc limit 1`;

/** The latest erasure that was planned of a tenant. Throws not_found. */
export async function getErasure(
  db: Database,
  tenantId: string,
  from: Queryable = db.pool,
): Promise<TenantErasure> {
  const { rows } = await from.query<ErasureRow>(LATEST, [tenantId]);
  return await requireErasure(db, rows);
}

/**
 * Like getErasure, and locks it until the end of the transaction. An erasure that is planned meanwhile is another row, so whoever
 * changes this one has to find it in a state that allows it.
 */
export async function lockErasure(db: Database, tx: Queryable, tenantId: string): Promise<TenantErasure> {
  const { rows } = await tx.query<ErasureRow>(`${LATEST} for update`, [tenantId]);
  return await requireErasure(db, rows);
}

async function requireErasure(db: Database, rows: readonly ErasureRow[]): Promise<TenantErasure> {
  const [erasure] = await toErasures(db, rows);
  if (!erasure) throw notFound('erasure');
  return erasure;
}

/** Throws conflict where an erasure of the tenant is planned already, with its id, or where it was erased. */
export async function refuseSecondErasure(tx: Queryable, tenantId: string): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from tenant_erasures where tenant_id = $1 and state in ('PLANNED', 'APPROVED', 'RUNNING')`,
    [tenantId],
  );
  const [open] = rows;
  if (open)
    throw new DomainError('conflict', 'An erasure of this tenant is planned already.', {
      members: { id: open.id },
    });
}
