import type { ErasureState, TenantErasure } from '../../domain/tenant-erasures/tenant-erasure.ts';
import type { Database } from '../database.ts';
import { OPERATORS } from '../idempotency/operator-scope.ts';
import { sealingContext } from '../vault/contexts.ts';

export interface ErasureRow {
  id: string;
  tenant_id: string;
  state: ErasureState;
  reason: Buffer;
  overrides: boolean;
  planned_for: Date;
  planned_by: string;
  planned_at: Date;
  approved_by: string | null;
  approved_at: Date | null;
  called_off_by: string | null;
  called_off_at: Date | null;
  started_at: Date | null;
  finished_at: Date | null;
  under_retention: number;
  legal_holds: number;
  erased_transactions: number;
  erased_claims: number;
  erased_verifications: number;
}

/** SQL: the columns that an erasure is read from. */
export const ERASURE_COLUMNS = `id, tenant_id, state, reason, overrides, planned_for, planned_by, planned_at, approved_by,
  approved_at, called_off_by, called_off_at, started_at, finished_at, under_retention, legal_holds, erased_transactions,
  erased_claims, erased_verifications`;

/** Opens the reasons with the keys of the operators, since those of the tenant are destroyed. */
export async function toErasures(
  { vault }: Pick<Database, 'vault'>,
  rows: readonly ErasureRow[],
): Promise<TenantErasure[]> {
  if (rows.length === 0) return [];
  const keys = await vault.tenantKeys(
    OPERATORS,
    rows.map(({ reason }) => reason),
  );
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    state: row.state,
    reason: keys.open<string>(sealingContext.tenantErasure.reason(row.id), row.reason),
    overrides: row.overrides,
    plannedFor: row.planned_for,
    plannedBy: row.planned_by,
    plannedAt: row.planned_at,
    approvedBy: row.approved_by,
    approvedAt: row.approved_at,
    calledOffBy: row.called_off_by,
    calledOffAt: row.called_off_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    underRetention: row.under_retention,
    legalHolds: row.legal_holds,
    erased: {
      transactions: row.erased_transactions,
      claims: row.erased_claims,
      verifications: row.erased_verifications,
    },
  }));
}
