import type { CheckRecord } from '../../domain/aml/check.ts';
import type { ProviderFaultCode } from '../../domain/aml/fault.ts';
import type { AmlFinding } from '../../domain/aml/finding.ts';
import type { Database } from '../database.ts';
import { CHECK_COLUMNS, sealCheck, toCheck, type CheckRow } from './check-row.ts';
import type { Queryable } from '../postgres.ts';

/** A provider's result, ready to be stored. */
export interface CompletedCheck {
  tenantId: string;
  id: string;
  finding: AmlFinding;
  /** The response body, byte for byte; null where no provider was asked. */
  raw: string | null;
  providerRef: string | null;
  credits: number;
  fetchedAt: Date;
  expiresAt: Date;
}

/**
 * Stores a result. When two processes asked, because the first was taken for dead, the later result and the sum of
 * both prices are stored.
 */
export async function completeCheck(db: Database, answered: CompletedCheck): Promise<CheckRecord> {
  const { tenantId, id, finding, raw } = answered;
  const keys = await db.vault.tenantKeys(tenantId);
  const { rows } = await db.pool.query<CheckRow>(
    `update aml_checks set state = 'DONE', fault = null, lease_until = null, status = $3, risk_score = $4, sealed = $5,
       provider_ref = coalesce($6, provider_ref), credits = credits + $7, fetched_at = $8, expires_at = $9
     where tenant_id = $1 and id = $2
     returning ${CHECK_COLUMNS}`,
    [
      tenantId,
      id,
      finding.status,
      finding.riskScore,
      sealCheck(keys, tenantId, id, { finding, raw }),
      answered.providerRef,
      answered.credits,
      answered.fetchedAt,
      answered.expiresAt,
    ],
  );
  if (!rows[0]) throw new Error('the check is gone');
  return toCheck(keys, rows[0]);
}

interface FailedCheck {
  tenantId: string;
  id: string;
  fault: ProviderFaultCode;
  credits: number;
  /** The provider is not asked again for the same check before this moment. */
  until: Date;
}

/** Records that a provider request failed. A row that already has a result keeps it. */
export async function failCheck(
  db: Queryable,
  { tenantId, id, fault, credits, until }: FailedCheck,
): Promise<void> {
  await db.query(
    `update aml_checks set state = case when sealed is null then 'FAILED' else 'DONE' end, fault = $3, lease_until = null,
       credits = credits + $4, expires_at = case when sealed is null then $5 else expires_at end
     where tenant_id = $1 and id = $2 and state = 'PENDING'`,
    [tenantId, id, fault, credits, until],
  );
}
